// The schedule carrier selects the execution backend of schedules, and of collectives, which are
// schedules (docs/schedules.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>

namespace boxcar {

// The execution backend of a schedule; the same on all PEs.
enum class schedule_carrier : std::uint8_t {
  // The adapter, as no device has been seen yet on which the network is better.
  automatic,
  // The adapter of each PE, a software adapter (docs/triggers.md).
  adapter,
  // The network, by triggered operations (libfabric's deferred work): runs make progress across
  // nodes although no PE calls Boxcar, and without progress threads. Construction of a schedule or
  // collective throws argument_error if the network of a world of several nodes has no triggered
  // operations. Functions, numbers that the network does not combine, and operations without room
  // in the network are left to the PE, in functions of Boxcar that wait, or to its progress thread;
  // everything is left to the adapter if the network has no room at all. `explain` lists how much
  // each backend executes, and why.
  network
};

}  // namespace boxcar
