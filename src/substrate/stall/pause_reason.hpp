// The reason why a PE waits, as told to the substrate.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class watched_session;

// The PEs that must act before a waiting PE can act.
enum class needs : std::uint8_t {
  nobody,  // the PE may act by itself: the PE polls, and its program may look elsewhere
  any,     // any PE that can send to the waiting PE, or take what the waiting PE has sent
  all      // every PE that takes part and has not come to the same place
};

struct pause_reason {
  needs on = needs::nobody;
  // The PE will also act by itself within a function of Boxcar: in a sleep, for instance.
  bool acts_by_itself = false;
  bool for_others = false;  // the wait is in vain if some PE of the world has left
  bool by_time = false;     // something falls due without a ring
  bool has_looked = false;  // so often that to spin is of no use
  // The caller promises its own caller not to block: `idle` looks for failures and stalls and
  // neither sleeps nor yields the core.
  bool must_not_block = false;
  // The place of the wait: the session of a conveyor or stream,
  watched_session* session = nullptr;
  // or else a collective of a world, by its number in the world.
  std::uint64_t world = 0;
  std::uint64_t number = 0;
};

}  // namespace boxcar::detail
