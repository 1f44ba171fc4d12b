// What a PE does in a world of very many: every kind of conveyor, exchange, and stream, on every
// kind of route, from its construction to the end of a session.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

#include "scale/pretended_world.hpp"

namespace boxcar::test {

// Tells that what follows belongs to the next step: "construct", "begin", "advance", "reset".
using next_step = std::function<void(const char*)>;

struct scale_case {
  std::string name;
  std::size_t links;  // that this PE has, and twice as many if two conveyors work together
  std::size_t parts;  // conveyors, or stages of a stream and its waves
  bool asks;          // and keeps what belongs to what it has asked
  std::function<void(world&, pretended_world&, const next_step&)> run;
};

// For a world of so many PEs, in nodes of `pes_per_node`.
std::vector<scale_case> scale_cases(int pes, int pes_per_node);

// Small, so that what is held beside the buffers shows.
inline constexpr std::size_t scale_buffer_bytes = 64;
// Of this PE: its place within the node is the node's, so that what it sends to itself over three
// hops stays here, and its neighbours in trees are elsewhere.
constexpr int scale_rank(int pes_per_node) {
  return 7 * (pes_per_node + 1);
}

}  // namespace boxcar::test
