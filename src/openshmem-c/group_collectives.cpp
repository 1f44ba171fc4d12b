#include "openshmem-c/group_collectives.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "openshmem-c/thread_sharing.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::openshmem_c {
namespace {

using detail::atomic_operation;

// A sync_word is a number of the work array: the count of arrived children, the release by the
// parent, and the offset of a `collect` plus 1.
enum sync_word : std::size_t { arrivals, release, offset };

constexpr int children_of_a_pe = 4;

void set_word(const group& g, sync_word which, int index, long value) {
  update(g.here, g.sync + which, {atomic_operation::store, sizeof value, &value}, g.pes.pe(index));
}

// Waits until the own word has the value, or any value but the initial one, and takes it.
long take_word(const group& g, sync_word which, long value) {
  const auto word = [&] { return detail::atomic_load(g.sync[which]); };
  g.here.wait([&] { return value == SHMEM_SYNC_VALUE ? word() != value : word() == value; });
  const long found = word();
  detail::atomic_store(g.sync[which], SHMEM_SYNC_VALUE);
  return found;
}

std::byte* at(void* array, std::size_t bytes) {
  return static_cast<std::byte*>(array) + bytes;
}
const std::byte* at(const void* array, std::size_t bytes) {
  return static_cast<const std::byte*>(array) + bytes;
}

// Returns the first element of the `index`th of `size` shares of `elements` elements.
std::size_t share_begin(std::size_t elements, int index, int size) {
  const auto shares = static_cast<std::size_t>(size);
  const auto number = static_cast<std::size_t>(index);
  return elements / shares * number + std::min(elements % shares, number);
}

// Combines `elements` elements at `source` of all PEs into `result`.
void combine_sources(const group& g, std::byte* result, const void* source, std::size_t elements,
                     std::size_t element_bytes, combine_function combine) {
  const std::size_t bytes = elements * element_bytes;
  std::vector<std::byte> copy;
  for (int i = 0; i < g.pes.size; ++i) {
    const int pe = g.pes.pe(i);
    const std::byte* seen = g.here.counterpart(source, pe);
    if (seen == nullptr) {
      copy.resize(bytes);
      get(g.here, copy.data(), source, bytes, pe, true);
      seen = copy.data();
    }
    if (i == 0) {
      std::memcpy(result, seen, bytes);
    } else {
      combine(result, seen, elements);
    }
  }
}

void put_to_all(const group& g, void* dest, const void* source, std::size_t bytes) {
  const int me = g.rank();
  // Each PE begins with another target.
  for (int i = 1; i <= g.pes.size; ++i) {
    put(g.here, dest, source, bytes, g.pes.pe((me + i) % g.pes.size));
  }
}

void finish(const group& g, const common_arguments& arguments = {}) {
  g.here.quiet();
  synchronise(g, arguments);
}

}  // namespace

int group::rank() const {
  const int index = pes.index_of(here.rank());
  if (index >= 0) return index;
  throw argument_error("PE " + std::to_string(here.rank()) + " is not in the active set of " +
                       std::to_string(pes.size) + " PEs from PE " + std::to_string(pes.start) +
                       " on, " + std::to_string(pes.stride) + " apart");
}

group group_of_team(member& here, const boxcar_shmem_team& team) {
  auto& sync = here.own_team_memory().sync[static_cast<std::size_t>(team.slot)];
  return {here, team.pes, sync.data()};
}

void synchronise(const group& g, const common_arguments& arguments) {
  const int me = g.rank();
  // Waiting in the barrier of the world keeps other threads of the PE from their turns.
  if (g.pes.size == g.here.all().size() && !thread_sharing::is_on()) {
    detail::substrate& all = *g.here.all().substrate();
    all.require_own_thread("barrier");
    return all.barrier(arguments.bytes, arguments.root);
  }
  const int first_child = children_of_a_pe * me + 1;
  const int last_child = std::min(first_child + children_of_a_pe, g.pes.size);
  if (first_child < last_child) take_word(g, arrivals, last_child - first_child);
  if (me != 0) {
    const long one = 1;
    update(g.here, g.sync + arrivals, {atomic_operation::add, sizeof one, &one},
           g.pes.pe((me - 1) / children_of_a_pe));
    take_word(g, release, 1);
  }
  for (int child = first_child; child < last_child; ++child) set_word(g, release, child, 1);
}

void synchronise_all(member& here) {
  synchronise(group_of_team(here, *here.teams().find(SHMEM_TEAM_WORLD)));
}

member& meet() {
  member& here = member::here();
  if (thread_sharing::is_on()) synchronise_all(here);
  return here;
}

void broadcast(const group& g, void* dest, const void* source, std::size_t bytes, int root,
               bool includes_root) {
  if (root < 0 || root >= g.pes.size) {
    throw argument_error("the root, PE " + std::to_string(root) + ", is none of the " +
                         std::to_string(g.pes.size) + " PEs");
  }
  if (g.rank() == root && bytes != 0) {
    for (int i = 1; i < g.pes.size; ++i) {
      put(g.here, dest, source, bytes, g.pes.pe((root + i) % g.pes.size));
    }
    if (includes_root && dest != source) std::memmove(dest, source, bytes);
  }
  finish(g, {bytes, root});
}

void collect(const group& g, void* dest, const void* source, std::size_t bytes) {
  const int me = g.rank();
  // The PEs pass the number of bytes before each of them along.
  std::size_t before = 0;
  if (me != 0) before = static_cast<std::size_t>(take_word(g, offset, SHMEM_SYNC_VALUE) - 1);
  if (me + 1 < g.pes.size) set_word(g, offset, me + 1, static_cast<long>(before + bytes + 1));
  if (bytes != 0) put_to_all(g, at(dest, before), source, bytes);
  finish(g);
}

void fcollect(const group& g, void* dest, const void* source, std::size_t bytes) {
  const auto me = static_cast<std::size_t>(g.rank());
  if (bytes != 0) put_to_all(g, at(dest, me * bytes), source, bytes);
  finish(g, {bytes});
}

void alltoall(const group& g, void* dest, const void* source, const strided& block) {
  const auto me = static_cast<std::size_t>(g.rank());
  const std::size_t bytes = block.elements * block.element_bytes;
  const std::size_t dest_bytes = bytes * static_cast<std::size_t>(block.dst);
  const std::size_t source_bytes = bytes * static_cast<std::size_t>(block.sst);
  const bool is_contiguous = block.dst == 1 && block.sst == 1;
  for (int i = 1; i <= g.pes.size && bytes != 0; ++i) {
    const auto target = (me + static_cast<std::size_t>(i)) % static_cast<std::size_t>(g.pes.size);
    const int pe = g.pes.pe(static_cast<int>(target));
    std::byte* const to = at(dest, me * dest_bytes);
    const std::byte* const from = at(source, target * source_bytes);
    if (is_contiguous) {
      put(g.here, to, from, bytes, pe);
    } else {
      put_strided(g.here, to, from, block, pe);
    }
  }
  finish(g, {bytes});
}

void reduce(const group& g, void* dest, const void* source, std::size_t elements,
            std::size_t element_bytes, combine_function combine) {
  constexpr std::size_t bytes_at_once = 16384;
  // The sources of PEs of the node are read without a check of each piece.
  const std::size_t all_bytes = bytes_of(elements, element_bytes);
  if (all_bytes != 0) static_cast<void>(g.here.locate(source, all_bytes, "the source"));
  const int me = g.rank();
  const std::size_t first = share_begin(elements, me, g.pes.size);
  const std::size_t mine = share_begin(elements, me + 1, g.pes.size) - first;
  std::vector<std::byte> results(mine * element_bytes);
  synchronise(g, {all_bytes});  // all sources are there
  const std::size_t at_once = std::max<std::size_t>(bytes_at_once / element_bytes, 1);
  for (std::size_t done = 0; done < mine; done += at_once) {
    combine_sources(g, at(results.data(), done * element_bytes),
                    at(source, (first + done) * element_bytes), std::min(at_once, mine - done),
                    element_bytes, combine);
  }
  synchronise(g);  // all sources have been read, and may be overwritten
  if (mine != 0) put_to_all(g, at(dest, first * element_bytes), results.data(), results.size());
  finish(g);
}

}  // namespace boxcar::openshmem_c
