// Selects the execution backend of a matched schedule: triggered operations of the network if the
// provider supports them and the options allow the network, otherwise the adapter in software.
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
  // Of each vertex: the PE that a message goes to or comes from, and its number there.
  std::vector<vertex_place> partners;
  // Of each vertex, by which those of partners name it. Of the messages of one PE to another all
  // numbers differ.
  std::vector<int> numbers;
  eager_limits eager;
  // Memory that belongs to the schedule: so many bytes, on a boundary of 64 bytes. `lay` returns
  // the graph in terms of this memory; `graph` is the same graph in terms of other memory.
  std::size_t scratch_bytes = 0;
  std::function<schedule_graph(std::span<std::byte> scratch)> lay = {};
};

// What is made, as messages call it, and who is to carry it out.
struct carrying_request {
  std::string_view operation;  // "compile"
  std::string_view owner;      // "a schedule's"
  std::string_view option;     // that names the carrier: "schedule_options::carrier"
  schedule_carrier carrier = schedule_carrier::automatic;
};

using including = std::vector<std::function<void(adapter&)>>;

// Collective. Behind it runs may be started. Throws argument_error on all PEs if others cannot
// reach the memory of a vertex, something cannot be had, or the network shall carry it out and does
// no such work.
[[nodiscard]] std::unique_ptr<compiled_schedule> make_carried(const world& w, matched_schedule what,
                                                              const including& includes,
                                                              const carrying_request& asked);

// "by the PE in functions of Boxcar that wait": who does what neither others nor the network do.
[[nodiscard]] std::string by_the_pe(const substrate& world);

}  // namespace boxcar::detail
