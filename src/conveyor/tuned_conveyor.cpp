#include "conveyor/tuned_conveyor.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "conveyor/path_choice.hpp"
#include "model/buffer_size.hpp"

namespace boxcar::detail {
namespace {

// Buffers from a minimum size up to a multiple of the usual size are tried.
constexpr std::size_t larger_buffers = 16;
constexpr std::size_t least_worth_trying = 256;

bool is_open(const conveyor_options& o) {
  const bool of_any_hops = o.kind == conveyor_kind::automatic || o.kind == conveyor_kind::tensor;
  return !o.way && o.hops == 0 && of_any_hops && !o.scatter;
}

// A group of a single PE, or of all PEs, makes a hop useless.
bool is_of_use(int pes, int group) {
  return group > 1 && group < pes;
}

std::vector<configuration> ways_of(const node_layout& nodes, const conveyor_options& o,
                                   const configuration& usual) {
  std::vector<configuration> all{usual};
  if (!is_open(o)) return all;
  const int pes = nodes.pes();
  const auto add = [&](int hops, int group) {
    const bool is_there = std::ranges::any_of(all, [&](const configuration& c) {
      return c.hops == hops && (hops == 1 || c.local_group == group);
    });
    if (is_there || (hops > 1 && !is_of_use(pes, group))) return;
    configuration next = over_hops(nodes, usual, hops, group);
    // A configuration that does not fit in memory is not tried.
    if (next.buffers.objective != fit_objective::fewest_hops) return;
    next.is_tuned = true;
    all.push_back(std::move(next));
  };
  add(1, 1);
  if (o.local_group != 0) {
    add(2, o.local_group);
    if (o.local_group <= largest_tensor_group) add(3, o.local_group);
    return all;
  }
  add(2, choose_group(nodes, 2));
  add(2, group_of_fewest_links(pes, 2));
  add(3, choose_group(nodes, 3));
  return all;
}

// Returns the powers of two times the way's usual buffer size that fit in memory.
tunable_way sizes_of(const substrate& world, const conveyor_options& o, const configuration& c) {
  tunable_way way{without_blanks(c.way ? c.way->describe() : c.path(world.size()).describe()),
                  c.buffer_bytes, c.buffer_bytes, c.buffer_bytes};
  if (o.buffer_bytes != 0 || c.wish.preferred != 0) return way;
  const std::size_t least = std::max(round_up_to_line(c.wish.item_bytes), least_worth_trying);
  const memory_bound bound = memory_bound::of(o.max_bytes, c.wish.place);
  const auto fits = [&](std::size_t bytes) {
    return bytes <= largest_buffer && c.cost.bytes_with(bytes) <= bound.bytes;
  };
  while (way.min_bytes / 2 >= least) way.min_bytes /= 2;
  while (way.most_bytes < larger_buffers * c.buffer_bytes && fits(2 * way.most_bytes))
    way.most_bytes *= 2;
  return way;
}

std::vector<tunable_way> tunable(const substrate& world, const conveyor_options& o,
                                 const std::vector<configuration>& ways) {
  std::vector<tunable_way> all;
  for (const configuration& c : ways) all.push_back(sizes_of(world, o, c));
  return all;
}

// Returns a word with the given options that affect sessions.
std::string name_of(const conveyor_options& o, const item_format& what) {
  constexpr std::array kinds{"automatic", "tensor", "simple", "twohop"};
  std::string text = kinds[static_cast<std::size_t>(o.kind)];
  const auto add = [&text](bool is_so, const std::string& word) {
    if (is_so) text += "," + word;
  };
  add(o.hops != 0, "hops:" + std::to_string(o.hops));
  add(o.local_group != 0, "group:" + std::to_string(o.local_group));
  add(o.way.has_value(), "route");
  add(o.buffer_bytes != 0, "bytes:" + std::to_string(o.buffer_bytes));
  add(o.buffers_per_link != 2, "buffers:" + std::to_string(o.buffers_per_link));
  add(o.steady, "steady");
  add(o.dynamic_memory, "dynamic");
  add(o.scatter, "scatter");
  add(o.compress, "compress");
  add(what.conveyors > 1, "of:" + std::to_string(what.conveyors));
  return text;
}

}  // namespace

tuned_conveyor::tuned_conveyor(substrate& world, const conveyor_options& options,
                               const item_format& what, const configuration& usual)
    : ways_(ways_of(world.layout(), options, usual)),
      tuner_(world,
             {.what = what.elastic         ? "elastic"
                      : what.conveyors > 1 ? "biconveyor"
                                           : "conveyor",
              .item_bytes = what.item_bytes,
              .options = name_of(options, what)},
             tunable(world, options, ways_)) {}

configuration tuned_conveyor::wanted() const {
  const tuned_setting& s = tuner_.wanted();
  configuration c = ways_[s.way];
  c.is_tuned = s.way != 0 || s.buffer_bytes != c.buffer_bytes;
  c.buffer_bytes = s.buffer_bytes;
  return c;
}

configuration as_of(const configuration& mine, const configuration& other) {
  configuration c = mine;
  c.hops = other.hops;
  c.local_group = other.local_group;
  c.cost = other.cost;
  c.buffer_bytes = std::max(other.buffer_bytes, round_up_to_line(mine.wish.item_bytes));
  c.is_tuned = other.is_tuned;
  return c;
}

}  // namespace boxcar::detail
