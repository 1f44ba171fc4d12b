// A simulated machine runs any number of PEs in one thread, with a clock and a network of their
// own.
//
// A program that uses the header links the library `boxcar::simulated` of CMake. The library exists
// where Boxcar was built with Boost.Context (Debian: libboost-context-dev).
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <boxcar/network.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

struct simulate_options {
  int pes = 1;
  // The number of PEs of each node; the last node may have fewer. 0: all PEs are on one node.
  int pes_per_node = 0;
  // The seed decides the order of PEs whose time is equal. The same seed, program and options give
  // the same run.
  std::uint64_t seed = 1;
  // Bytes of the stack of each PE. A page that is never touched takes no memory. At least 16 KiB.
  std::size_t stack_bytes = std::size_t{256} << 10;
  simulated_network network{};
  // PEs that wait for `patience` on the simulated clock, while nothing happens at all, are taken
  // for stuck.
  std::chrono::nanoseconds patience = std::chrono::seconds(1);
};

// The result of a simulation.
struct simulation {
  // The hash is equal for runs with the same events at the same times in the same order.
  std::uint64_t trace_hash = 0;
  // The simulated time from the beginning to the end of the last PE.
  std::chrono::nanoseconds time{0};
  std::uint64_t events = 0;
  std::uint64_t switches = 0;  // between PEs
  // The numbers of buffers and of small messages to other nodes (requests, and notifications that a
  // buffer is free again).
  std::uint64_t buffers = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // of buffers and messages
  // The maximum memory at any time: of buffers, and of memory that the PEs of nodes share.
  std::size_t buffer_bytes = 0;
  std::size_t shared_bytes = 0;
};

// Local. Runs `function` on `options.pes` PEs of a simulated machine. All PEs run on the calling
// thread, one at a time, each until the PE waits in a function of Boxcar: so a PE that waits for
// another PE in any other way, by a lock or by reading memory in a loop, waits for ever.
// `world::now` and `world::sleep` use the simulated clock, and computing between calls does not
// advance the clock.
//
// Returns when all PEs have returned. Throws as `run` does if a PE throws; world_error with the
// wait of each PE if the PEs can never go on; argument_error if the options cannot work;
// contract_error on a PE of another simulation; system_error if there is no memory for the stacks.
// A PE whose stack has overflowed ends the program, with a message that names a sufficient size.
simulation simulate(const simulate_options& options, const std::function<void(world&)>& function);

}  // namespace boxcar
