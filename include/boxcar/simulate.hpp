// A simulated machine: any number of PEs in one thread, with a clock and a network of their own.
//
// The library of a program that uses this is `boxcar::simulated` in CMake. It exists where Boxcar
// was built with Boost.Context (Debian: libboost-context-dev).
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
  // The last node may have fewer. 0: all are on one node.
  int pes_per_node = 0;
  // Decides who comes first of those whose time is the same. The same seed, program and options
  // give the same run.
  std::uint64_t seed = 1;
  // Of each PE. A page that is never touched takes no memory. At least 16 KiB.
  std::size_t stack_bytes = std::size_t{256} << 10;
  simulated_network network{};
  // PEs that wait for so long on the simulated clock, while nothing happens at all, are taken for
  // stuck.
  std::chrono::nanoseconds patience = std::chrono::seconds(1);
};

// What a simulation was.
struct simulation {
  // The same for runs in which the same happened at the same times in the same order.
  std::uint64_t trace_hash = 0;
  // On the simulated clock, from the begin to the end of the last PE.
  std::chrono::nanoseconds time{0};
  std::uint64_t events = 0;
  std::uint64_t switches = 0;  // between PEs
  // To other nodes: buffers and small messages (requests, and word that a buffer is free again).
  std::uint64_t buffers = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;  // of both
  // At most at a time: of buffers, and of memory that the PEs of nodes share.
  std::size_t buffer_bytes = 0;
  std::size_t shared_bytes = 0;
};

// Runs `function` on so many PEs of a simulated machine; local. All of them run on the thread that
// calls, one at a time, each until it waits in a function of Boxcar: so a PE that waits for another
// one in any other way, by a lock or by reading memory in a loop, waits for ever. `world::now` and
// `world::sleep` are of the simulated clock, which computing between calls does not move.
//
// Returns when all PEs have returned. Throws as `run` does if one of them throws; world_error that
// names what each waits for if the PEs can never go on; argument_error if the options cannot work;
// contract_error on a PE of another simulation; system_error if there is no memory for the stacks.
// A PE whose stack has overflowed ends the program, with a message that says how much to give.
simulation simulate(const simulate_options& options, const std::function<void(world&)>& function);

}  // namespace boxcar
