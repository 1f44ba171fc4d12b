// The collectives of an active set, by puts and gets. All PEs of the set call a function with the
// same arguments. `sync` is a symmetric work array of SHMEM_SYNC_SIZE numbers, all SHMEM_SYNC_VALUE
// before and after a call. Functions throw argument_error on the PEs whose arguments are wrong.
#pragma once

#include <cstddef>

#include "openshmem-c/transfer.hpp"

namespace boxcar::openshmem_c {

struct group {
  member& here;
  active_set pes;
  long* sync;

  // Returns the number of this PE in the set. Throws argument_error if the PE is not in the set.
  [[nodiscard]] int rank() const;
};

// Returns the group of a team of this PE, with the work array of the team.
group group_of_team(member& here, const boxcar_shmem_team& team);

// The arguments of a collective that are the same on all PEs.
struct common_arguments {
  std::size_t bytes = 0;
  int root = 0;
};

// Returns when all PEs of the set have called the function. A tree of flags, or the barrier of the
// world for all PEs: the barrier throws world_error if arguments of PEs differ.
void synchronise(const group& g, const common_arguments& arguments = {});

void synchronise_all(member& here);

// Collective over all PEs. Returns the member of this PE. While threads share the PE, the function
// returns when all PEs have called the function, and other threads have turns meanwhile: functions
// that are collective over all PEs begin with `meet`, as waits of the world let no thread in.
member& meet();

// Copies `bytes` bytes of the root's source to dest of the other PEs, and of the root if
// `includes_root`.
void broadcast(const group& g, void* dest, const void* source, std::size_t bytes, int root,
               bool includes_root);
// Concatenates the sources of all PEs in dest of each PE, in the order of the set. `collect`: each
// PE gives any number of bytes; `fcollect`: all PEs give as many.
void collect(const group& g, void* dest, const void* source, std::size_t bytes);
void fcollect(const group& g, void* dest, const void* source, std::size_t bytes);
// Sends block j of the source to PE j of the set, as block i of dest, where i is the sender.
void alltoall(const group& g, void* dest, const void* source, const strided& block);

// Combines the elements of all PEs in the order of the set, on all PEs; dest may be the source.
// Each PE combines a share of the elements and puts the results to all PEs. `combine(into, next,
// n)` combines n elements of `into` with those of `next`.
using combine_function = void (*)(void* into, const void* next, std::size_t n);
void reduce(const group& g, void* dest, const void* source, std::size_t elements,
            std::size_t element_bytes, combine_function combine);

}  // namespace boxcar::openshmem_c
