// The symmetric memory of the collectives of teams: a block behind the heap of the program.
#pragma once

#include <array>
#include <cstddef>

#include <boxcar/openshmem-c/shmem.h>

namespace boxcar::openshmem_c {

inline constexpr int max_teams = 256;
inline constexpr int bits_of_slots = 64;

// Bit i is set if slot i is free.
using slot_set = std::array<unsigned long, max_teams / bits_of_slots>;

struct team_memory {
  // Work arrays of teams by slot. The PEs of a team agree on a slot; teams without a common PE may
  // have the same slot.
  std::array<std::array<long, SHMEM_SYNC_SIZE>, max_teams> sync;
  // A split has the sets of one split under way. The index is the slot of the parent team: threads
  // may split several teams at a time.
  struct split {
    slot_set mine;    // the free slots of the PE
    slot_set of_all;  // the free slots of all PEs of the parent team
  };
  std::array<split, max_teams> splits;
};

}  // namespace boxcar::openshmem_c
