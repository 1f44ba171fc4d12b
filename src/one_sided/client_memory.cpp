#include "one_sided/client_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

using mark = std::uint64_t;

bool is_seen_as_it_is(const substrate& world) {
  const node_layout& nodes = world.layout();
  return world.is_one_process() || nodes.nodes() == nodes.pes();
}

std::byte* counterpart(const substrate& world, const object_memory& mine, int pe) {
  if (pe == world.rank()) return static_cast<std::byte*>(mine.data);
  if (mine.counterpart) return mine.counterpart(pe);
  return world.counterpart(static_cast<std::byte*>(mine.data), pe);
}

template <typename Action>
void for_each_here(const substrate& world, const Action& action) {
  const node_layout& nodes = world.layout();
  const int node = world.node_of(world.rank());
  for (int place = 0; place < nodes.local_size(node); ++place) {
    action(static_cast<std::size_t>(place), nodes.pe_at(node, place));
  }
}

// Returns the mark of a PE for the other PEs of the node.
mark mark_of(const substrate& world, int pe) {
  return (world.identity() ^ static_cast<mark>(pe + 1)) * 0x9e3779b97f4a7c15u;
}

bool shows(const std::byte* memory, mark m, std::size_t bytes) {
  return std::memcmp(memory, &m, std::min(bytes, sizeof m)) == 0;
}

// Checks that the addresses in `seen` show the memory passed by each PE: each PE temporarily writes
// a mark into the memory.
void require_same_place(substrate& world, const std::vector<std::byte*>& seen,
                        const std::vector<std::size_t>& bytes, const char* object) {
  const auto place = static_cast<std::size_t>(world.layout().local_rank(world.rank()));
  const std::size_t marked = std::min(bytes[place], sizeof(mark));
  std::array<std::byte, sizeof(mark)> kept{};
  const mark m = mark_of(world, world.rank());
  if (marked != 0) {
    std::memcpy(kept.data(), seen[place], marked);
    std::memcpy(seen[place], &m, marked);
  }
  world.barrier();
  agreement all;
  for_each_here(world, [&](std::size_t i, int pe) {
    if (bytes[i] == 0 || shows(seen[i], mark_of(world, pe), bytes[i])) return;
    all.object("the memory is not the same symmetric object as that of " + world.pe_name(pe) +
               ": give what the same call of shmem_malloc has returned on all PEs");
  });
  const auto objection = all.reach(world);
  if (marked != 0) std::memcpy(seen[place], kept.data(), marked);
  if (objection) {
    // A PE that catches the error may write to memory restored by other PEs.
    world.barrier();
    throw argument_error(objection->text(object, std::string(object) + "'s"));
  }
}

}  // namespace

void check_client_memory(const substrate& world, const object_memory& mine, agreement& all) {
  if (!mine.is_clients || is_seen_as_it_is(world)) return;
  bool is_reached = true;
  for_each_here(world, [&](std::size_t, int pe) {
    is_reached = is_reached && counterpart(world, mine, pe) != nullptr;
  });
  if (is_reached) return;
  all.object(
      "the memory is the program's own, which other processes of the node cannot reach: give the "
      "number of elements, and use the memory of the object, or give symmetric memory of "
      "OpenSHMEM");
}

std::vector<std::byte*> find_client_memory(substrate& world, const object_memory& mine,
                                           const std::vector<std::byte*>& addresses,
                                           const std::vector<std::size_t>& bytes,
                                           const char* object) {
  if (is_seen_as_it_is(world)) return addresses;
  std::vector<std::byte*> seen(addresses.size());
  for_each_here(world, [&](std::size_t i, int pe) { seen[i] = counterpart(world, mine, pe); });
  // The mark of a check would overwrite memory in use, such as variables.
  if (!mine.counterpart) require_same_place(world, seen, bytes, object);
  return seen;
}

}  // namespace boxcar::detail
