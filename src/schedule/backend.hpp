// Selects the execution backend of a matched schedule: the network's triggered operations if the
// network supports them and the program allows it, otherwise the software adapter.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/schedule_carrier.hpp>
#include <boxcar/world.hpp>

#include "schedule/compiled_schedule.hpp"
#include "schedule/matching.hpp"
#include "schedule/schedule_graph.hpp"

namespace boxcar::detail {

struct matched_schedule {
  schedule_graph graph;
  // For each vertex that is a message: the other PE, and the number of the message there.
  std::vector<vertex_place> partners;
  // For each vertex: the number by which the partner names the vertex. The messages of a PE to
  // another PE have different numbers.
  std::vector<int> numbers;
  eager_limits eager;
  // Memory of the schedule, `scratch_bytes` bytes on a boundary of 64 bytes. `lay` returns the
  // graph in terms of this memory; `graph` is the same graph in terms of other memory.
  std::size_t scratch_bytes = 0;
  std::function<schedule_graph(std::span<std::byte> scratch)> lay = {};
};

// The requested backend, and the names of the schedule for messages.
struct backend_request {
  std::string_view operation;  // "compile"
  std::string_view owner;      // "a schedule's"
  std::string_view option;     // for the carrier: "schedule_options::carrier"
  schedule_carrier carrier = schedule_carrier::automatic;
};

using include_functions = std::vector<std::function<void(adapter&)>>;

// Collective. Makes the schedule: runs may be started when `select_backend` returns. Throws on all
// PEs: argument_error if other PEs cannot access the memory of a vertex, or the program demands the
// network and the network does not execute schedules; system_error if a resource is lacking.
[[nodiscard]] std::unique_ptr<compiled_schedule> select_backend(const world& w,
                                                                matched_schedule what,
                                                                const include_functions& includes,
                                                                const backend_request& asked);

// Returns who executes work that neither other PEs nor the network execute: "by the PE in functions
// of Boxcar that wait", for instance.
[[nodiscard]] std::string pe_executor_text(const substrate& world);

}  // namespace boxcar::detail
