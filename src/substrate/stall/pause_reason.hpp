// Why a PE has nothing to do, as whoever waits tells the substrate.
#pragma once

#include <cstdint>

namespace boxcar::detail {

class watched_session;

// Who must act before this PE can.
enum class needs : std::uint8_t {
  nobody,  // it may act by itself: it polls, and what else its program looks at is not known
  any,     // whoever can send to it, or take what it has sent
  all      // every PE that takes part and has not come to the same place
};

struct pause_reason {
  needs on = needs::nobody;
  // And will, also where it is in a function of Boxcar: it sleeps, for instance.
  bool acts_by_itself = false;
  bool for_others = false;  // it is in vain if some PE of the world has left
  bool by_time = false;     // something falls due that nobody rings for
  bool has_looked = false;  // often enough that to spin is of no use
  // The caller promises its own caller not to block: `idle` looks for failures and stalls and
  // neither sleeps nor yields the core.
  bool must_not_block = false;
  // What it waits in: the session of a conveyor or stream,
  watched_session* session = nullptr;
  // or else a collective of a world, by its number there.
  std::uint64_t world = 0;
  std::uint64_t number = 0;
};

}  // namespace boxcar::detail
