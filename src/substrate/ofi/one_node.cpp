#include "substrate/ofi/one_node.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>

#include <boxcar/version.hpp>

#include "substrate/cluster/machine.hpp"

namespace boxcar::detail::ofi {

job_extent find_extent(bootstrap& job, bool could_do_without) {
  if (!job.is_on_one_machine()) return {};
  // The reduction clears is_one_node and is_one_machine where two PEs differ. (The endpoints report
  // different versions.)
  struct facts {
    std::uint64_t memory;
    std::uint64_t loopback;
    std::uint64_t version;
    std::uint64_t is_one_node;
    std::uint64_t is_one_machine;
  };
  const machine_identity here = identify_machine();
  facts all{here.memory, here.loopback, std::hash<std::string_view>()(version),
            std::uint64_t{could_do_without}, 1};
  job.reduce(std::as_writable_bytes(std::span(&all, 1)),
             [](std::byte* into, const std::byte* next) {
               facts before;
               facts behind;
               std::memcpy(&before, into, sizeof before);
               std::memcpy(&behind, next, sizeof behind);
               if (before.version != behind.version) before.is_one_node = before.is_one_machine = 0;
               if (before.memory != behind.memory) before.is_one_node = 0;
               if (before.loopback != behind.loopback) before.is_one_machine = 0;
               before.is_one_node &= behind.is_one_node;
               before.is_one_machine &= behind.is_one_machine;
               std::memcpy(into, &before, sizeof before);
             });
  return {.is_one_node = all.is_one_node != 0, .is_one_machine = all.is_one_machine != 0};
}

}  // namespace boxcar::detail::ofi
