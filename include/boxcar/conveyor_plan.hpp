// The planner configures a conveyor for a machine that is not at hand yet: a model of the costs of
// a simulated machine (boxcar/network.hpp) forecasts the performance of each setting on a network.
// docs/planner.md explains the model, its errors, and `boxcar plan`. Pure functions.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/network.hpp>

namespace boxcar {

// The session to plan: every PE sends to PEs drawn at random, itself included.
struct plan_request {
  int nodes = 1;
  int pes_per_node = 1;
  std::size_t item_bytes = 8;
  std::uint64_t items_per_pe = 0;  // sent by a PE in a session; 0: very many
  // The bound on a conveyor's memory on a PE, as `conveyor_options::max_bytes`; 0: no bound.
  std::size_t max_bytes = 0;
};

// The resource that a session waits for most of the time.
enum class plan_limit {
  core,     // of the busiest PE
  adapter,  // shared by the PEs of a node
  links,    // between adapters
  credit,   // all buffers of a link are in flight or unread
  ending,   // the part without overlap: buffers that are not full, and a latency for each hop
  rounds,   // of synchronous kinds: nothing overlaps, and all PEs agree each time
};
[[nodiscard]] const char* to_text(plan_limit limit);

// The forecast of a setting. Times are of one session, from begin to the end of reset.
struct planned_setting {
  conveyor_options options;      // `kind` and way, `buffer_bytes` and `buffers_per_link`
  std::string way;               // "two hops, groups of 64"
  std::string code;              // the options in C++: "conveyor_options{.kind = ..., ...}"
  int hops = 1;                  // at most, of an item
  std::size_t links = 0;         // of the PE with the most links
  std::size_t memory_bytes = 0;  // on that PE, as the library computes the memory for `max_bytes`
  double seconds = 0;
  // Lower bounds of `seconds`: the total work of the core of an average PE, of an adapter, and of
  // the busiest kind of link.
  double core_seconds = 0;
  double adapter_seconds = 0;
  double link_seconds = 0;
  // The part of `seconds` at the end that overlaps with nothing.
  double ending_seconds = 0;
  plan_limit limit = plan_limit::core;
  double fill = 0;            // how full buffers are when sent, 0 to 1
  double injected_bytes = 0;  // by a node, in all
};

// Local. Returns the forecast of one setting. `options` must give all of kind or way, hops, group,
// size and number of buffers. Throws argument_error as a conveyor would, or if a number of the
// request or of the network is out of range.
[[nodiscard]] planned_setting forecast(const plan_request& wish, const simulated_network& network,
                                       const conveyor_options& options);

// Local. Returns all settings that make sense and fit under the bound, the best setting first;
// among settings that are equally good by the model, the setting with the least memory comes first.
// Throws argument_error if a number is out of range; if nothing fits, the message names the least
// bound that does.
[[nodiscard]] std::vector<planned_setting> plan_conveyor(const plan_request& wish,
                                                         const simulated_network& network);

}  // namespace boxcar
