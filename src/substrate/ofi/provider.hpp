// Which of libfabric's providers carries the messages: chosen by what its endpoints can do. The
// order in which libfabric names them says little, and names only decide between those that can do
// the same.
#pragma once

#include <memory>
#include <rdma/fabric.h>
#include <string>
#include <string_view>

#include "substrate/ofi/libfabric.hpp"

namespace boxcar::detail::ofi {

struct info_deleter {
  void operator()(fi_info* info) const { libfabric().free_information(info); }
};
using info_list = std::unique_ptr<fi_info, info_deleter>;

// The interface of libfabric that this is written for.
inline constexpr std::uint32_t api_version = FI_VERSION(1, 15);

// What a message of Boxcar's needs besides.
inline constexpr unsigned tag_bits = 48;
// Sent at once, with the seal, whatever the buffer is used for next.
inline constexpr std::size_t small_bytes = 64;

// A provider, as BOXCAR_OFI_PROVIDER names it: as a whole, or without the layer that it is used
// through, as "tcp" for "tcp;ofi_rxm".
[[nodiscard]] bool is_named(std::string_view provider, std::string_view wanted);

// Why an endpoint cannot carry what Boxcar sends, in words; empty if it can.
[[nodiscard]] std::string what_it_lacks(const fi_info& endpoint);

// Those that an endpoint can be opened with. Throws system_error, with what was tried and what to
// do, if there is none; `wanted` is the name that was asked for, or empty. For a job on one machine
// an endpoint on the loopback device comes before all others, as no other machine, and no other
// network, sees what listens there.
[[nodiscard]] info_list choose_provider(const std::string& wanted, bool is_one_machine);

// The same endpoint with deferred work, counters of puts, and atomics; nullptr if there is none.
[[nodiscard]] info_list find_deferring(const fi_info& like);

// Who can reach a job that uses this endpoint, and by what its memory is protected, in words.
[[nodiscard]] std::string describe_trust(const fi_info& endpoint);

// What was found, which would be chosen, and why not the others: a line each, for a person.
[[nodiscard]] std::string describe_providers(const std::string& wanted);

// "tcp;ofi_rxm on eth0".
[[nodiscard]] std::string name_of(const fi_info& endpoint);

// Its address means something on this machine only.
[[nodiscard]] bool stays_on_machine(const fi_info& endpoint);

}  // namespace boxcar::detail::ofi
