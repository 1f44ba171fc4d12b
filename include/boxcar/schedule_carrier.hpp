// Who carries schedules out, and collectives, which are schedules (docs/schedules.md).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>

namespace boxcar {

// The same on all PEs.
enum class schedule_carrier : std::uint8_t {
  // The adapter, as long as no device has been seen on which the network is better.
  automatic,
  // The adapter of each PE, which is software (docs/triggers.md).
  adapter,
  // The network, by work that waits for its counters (libfabric's deferred work): runs go on across
  // nodes though no PE calls Boxcar, and without progress threads. To make what it is to carry
  // throws argument_error if the network of a world of several nodes does no such work. Functions,
  // numbers that it does not combine, and what it has no room for are left to the PE, in functions
  // of Boxcar that wait, or to its progress thread; all of it is left to the adapter if there is no
  // room at all. `explain` says who does how much, and why.
  network
};

}  // namespace boxcar
