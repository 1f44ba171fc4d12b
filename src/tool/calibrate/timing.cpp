#include "calibrate/timing.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <boxcar/arithmetic.hpp>
#include <boxcar/error.hpp>

#include "by_collective.hpp"
#include "collective_runs.hpp"
#include "collective_variants.hpp"

namespace boxcar::tool {
namespace {

using detail::collective_operation;
using detail::measured_way;

constexpr int kinds = detail::num_measured_operations;
constexpr int least_turns = 3;
constexpr int most_turns = 51;
// The memory of a PE has the input and the output of all ways of a collective.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

// A number of bytes of a block, and the runs of a turn: long enough for the clock.
struct block_size {
  std::size_t bytes;
  std::uint64_t runs;
};
constexpr std::array<block_size, 7> block_sizes{{{8, 50},
                                                 {512, 50},
                                                 {4 << 10, 50},
                                                 {32 << 10, 5},
                                                 {64 << 10, 5},
                                                 {256 << 10, 5},
                                                 {1 << 20, 2}}};

std::span<const block_size> sizes_of(collective_operation kind) {
  const std::span<const block_size> all(block_sizes);
  return kind == collective_operation::barrier ? all.first(1) : all;
}

// Returns the number of bytes by which the table of ways is ordered.
std::size_t bytes_of(collective_operation kind, std::size_t block, int pes) {
  if (kind == collective_operation::barrier) return 0;
  const bool has_one_block = !detail::has_blocks(kind) && kind != collective_operation::all_to_all;
  return has_one_block ? block : block * static_cast<std::size_t>(pes);
}

bool is_tree_like_another(const measured_way& way) {
  const bool is_scan =
      way.kind == collective_operation::scan || way.kind == collective_operation::exclusive_scan;
  const bool is_same_on_two = way.over == topology::k_ary_tree || way.over == topology::chain;
  return way.pes == 2 && !is_scan && is_same_on_two;
}

// A way, and a collective over the way.
struct candidate {
  timed_way timed;
  std::unique_ptr<bench::by_collective> runs;
};

class turns_of_collective {
 public:
  turns_of_collective(world& w, collective_operation kind, const block_size& block)
      : world_(w),
        setting_(setting_of(w, kind, block)),
        job_(w, setting_),
        result_{.bytes = bytes_of(kind, block.bytes, w.size())} {
    measured_way built_in = detail::way_table::built_in().find(kind, w.size(), result_.bytes);
    built_in.pes = w.size();
    add(built_in);
    for (const auto& v : bench::variants_of_collective(setting_, job_.most_bytes())) {
      const measured_way way{.kind = kind,
                             .pes = w.size(),
                             .over = v.how.over,
                             .fan_out = std::max(v.how.fan_out, 2),
                             .segment_bytes = v.how.segment_bytes};
      const bool is_new = way.over != topology::automatic && !is_same_way(way, built_in) &&
                          !is_tree_like_another(way);
      if (is_new && is_sound(way, result_.bytes)) add(way);
    }
  }

  timed_ways measure(std::chrono::nanoseconds time) {
    const auto begin = world_.now();
    take_turn(false);
    for (int turn = 0; turn != most_turns; ++turn) {
      take_turn(true);
      const auto taken = world_.reduce((world_.now() - begin).count(), maximum{});
      if (turn + 1 >= least_turns && std::chrono::nanoseconds(taken) > time) break;
    }
    for (candidate& c : all_) {
      world_.reduce(std::span(c.timed.seconds), maximum{});
      result_.each.push_back(std::move(c.timed));
    }
    return std::move(result_);
  }

 private:
  static bench::setting setting_of(const world& w, collective_operation kind,
                                   const block_size& block) {
    bench::setting s;
    s.pes = w.size();
    s.problem_class = name_of(kind);
    s.item_bytes = block.bytes;
    s.items = block.runs;
    s.variants = "all";
    return s;
  }

  void add(const measured_way& way) {
    const collective_options how{
        .over = way.over, .fan_out = way.fan_out, .segment_bytes = way.segment_bytes};
    try {
      all_.push_back({{way, {}}, std::make_unique<bench::by_collective>(world_, job_, how, "")});
    } catch (const argument_error&) {
      // The collective does not support the topology.
    }
  }

  void take_turn(bool counts) {
    for (candidate& c : all_) {
      c.runs->prepare();
      const auto begin = world_.now();
      c.runs->run();
      const std::chrono::duration<double> taken = world_.now() - begin;
      c.runs->finish();
      if (counts) c.timed.seconds.push_back(taken.count());
    }
  }

  world& world_;
  bench::setting setting_;
  bench::collective_runs job_;
  timed_ways result_;
  std::vector<candidate> all_;
};

}  // namespace

std::vector<measured_way> measure_collectives(world& w, std::chrono::nanoseconds time) {
  constexpr int cells = 1 + (kinds - 1) * static_cast<int>(block_sizes.size());
  std::vector<measured_way> rows;
  for (int i = 0; i != kinds; ++i) {
    const auto kind = static_cast<collective_operation>(i);
    std::vector<timed_ways> sizes;
    for (const block_size& block : sizes_of(kind)) {
      if (bytes_of(kind, block.bytes, w.size()) > most_bytes) break;
      sizes.push_back(turns_of_collective(w, kind, block).measure(time / cells));
    }
    const std::vector<measured_way> chosen = fastest_ways(sizes);
    rows.insert(rows.end(), chosen.begin(), chosen.end());
  }
  return rows;
}

}  // namespace boxcar::tool
