#include "substrate/ofi/one_node.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include <boxcar/version.hpp>

#include "substrate/cluster/machine.hpp"

namespace boxcar::detail::ofi {

bool are_on_one_node(meeting& job, bool could_do_without) {
  if (!job.is_on_one_machine()) return false;
  // (Of other versions their endpoints tell.)
  using facts = std::array<std::uint64_t, 3>;
  facts all{identify_machine().memory, std::hash<std::string_view>()(version),
            std::uint64_t{could_do_without}};
  job.reduce(std::as_writable_bytes(std::span(all)), [](std::byte* into, const std::byte* next) {
    facts before;
    facts behind;
    std::memcpy(before.data(), into, sizeof before);
    std::memcpy(behind.data(), next, sizeof behind);
    if (before != behind) before.back() = 0;
    std::memcpy(into, before.data(), sizeof before);
  });
  return all.back() != 0;
}

}  // namespace boxcar::detail::ofi
