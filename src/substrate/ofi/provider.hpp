// The choice of a libfabric provider, by the capabilities of the provider's endpoints. libfabric's
// order of providers says little, and names decide only between equal capabilities.
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

// The version of the libfabric API used by Boxcar.
inline constexpr std::uint32_t api_version = FI_VERSION(1, 15);

// The number of tag bits needed by a message.
inline constexpr unsigned tag_bits = 48;
// The maximum size of an injected message, with the seal; the buffer may be reused at once.
inline constexpr std::size_t small_bytes = 64;

// Returns whether `wanted`, a value of BOXCAR_OFI_PROVIDER, names the provider: in full, or without
// the layer, as "tcp" for "tcp;ofi_rxm". An empty name matches all.
[[nodiscard]] bool is_named(std::string_view provider, std::string_view wanted);

// Returns in words why an endpoint cannot transfer Boxcar's messages; empty if the endpoint can.
[[nodiscard]] std::string what_it_lacks(const fi_info& endpoint);

// Returns the information to open the chosen endpoint with. Throws system_error, with the providers
// tried and advice, if no endpoint is suitable. `wanted` is the requested name, or empty. For a job
// on one machine an endpoint on the loopback device comes before all others, as no other machine,
// and no other network, sees the listening sockets.
[[nodiscard]] info_list choose_provider(const std::string& wanted, bool is_one_machine);

// Returns the endpoint `like` with deferred work, counters of puts, and atomics; nullptr if there
// is none.
[[nodiscard]] info_list find_deferring(const fi_info& like);

// Describes the security of a job on the endpoint: the programs able to reach the job, and the
// protection of memory.
[[nodiscard]] std::string describe_trust(const fi_info& endpoint);

// Returns a line for each provider found: chosen, or the reason against the provider.
[[nodiscard]] std::string describe_providers(const std::string& wanted);

// Returns for instance "tcp;ofi_rxm on eth0".
[[nodiscard]] std::string name_of(const fi_info& endpoint);

// Returns whether the endpoint's address is valid on the machine itself only.
[[nodiscard]] bool stays_on_machine(const fi_info& endpoint);
// The endpoint is on the loopback device.
[[nodiscard]] bool is_loopback(const fi_info& endpoint);

}  // namespace boxcar::detail::ofi
