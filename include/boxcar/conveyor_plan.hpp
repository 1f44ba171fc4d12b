// How to configure a conveyor for a machine that one does not have yet: what each setting is
// expected to achieve on a network, by a model of what a simulated machine charges
// (boxcar/network.hpp). docs/planner.md explains the model, its errors, and `boxcar plan`. Pure
// functions.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/network.hpp>

namespace boxcar {

// A session in which every PE sends to PEs drawn at random, itself included.
struct plan_request {
  int nodes = 1;
  int pes_per_node = 1;
  std::size_t item_bytes = 8;
  std::uint64_t items_per_pe = 0;  // that a PE sends in a session; 0: very many
  // What a conveyor may hold on a PE, as `conveyor_options::max_bytes`; 0: no bound.
  std::size_t max_bytes = 0;
};

// What a session waits for most of the time.
enum class plan_limit {
  core,     // of the busiest PE
  adapter,  // that the PEs of a node share
  links,    // between adapters
  credit,   // all buffers of a link are under way or unread
  ending,   // what cannot be overlapped: buffers that are not full, and a latency for each hop
  rounds,   // of synchronous kinds: nothing overlaps, and all PEs agree each time
};
[[nodiscard]] const char* to_text(plan_limit limit);

// What a setting is expected to achieve. Times are of one session, from begin to the end of reset.
struct planned_setting {
  conveyor_options options;      // `kind` and way, `buffer_bytes` and `buffers_per_link`
  std::string way;               // "two hops, groups of 64"
  std::string code;              // the same in C++: "conveyor_options{.kind = ..., ...}"
  int hops = 1;                  // at most, of an item
  std::size_t links = 0;         // of the PE that has most
  std::size_t memory_bytes = 0;  // on that PE, as the library reckons it for `max_bytes`
  double seconds = 0;
  // No session takes less than each of these: what the core of an average PE, an adapter, and the
  // busiest kind of link have to do in all.
  double core_seconds = 0;
  double adapter_seconds = 0;
  double link_seconds = 0;
  // Of `seconds`, what is not overlapped at the end.
  double ending_seconds = 0;
  plan_limit limit = plan_limit::core;
  double fill = 0;            // how full buffers leave, 0 to 1
  double injected_bytes = 0;  // by a node, in all
};

// What one setting is expected to achieve; local. `options` must say all of kind or way, hops,
// group, size and number of buffers. Throws argument_error as a conveyor would, or if a number of
// the request or of the network is out of range.
[[nodiscard]] planned_setting forecast(const plan_request& wish, const simulated_network& network,
                                       const conveyor_options& options);

// All settings that make sense and fit under the bound, the best one first; local. Of settings that
// are as good as one another by the model the one that takes least memory comes first. Throws
// argument_error if a number is out of range; if nothing fits, it says the least that does.
[[nodiscard]] std::vector<planned_setting> plan_conveyor(const plan_request& wish,
                                                         const simulated_network& network);

}  // namespace boxcar
