// Rebalancing lets the objects of a collection migrate so that the PEs have equal loads. The load
// of an object is the time in its handlers, measured by the collection, or a weight of the program.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include <boxcar/collection.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

enum class balance_policy {
  none,       // nothing moves; the report says how even the loads are
  rotate,     // every object moves to the next PE: a test of the packing of objects
  greedy,     // PE 0 gets the loads of all objects, and moves objects of overloaded PEs to the PEs
              // with the smallest loads
  diffusion,  // each PE compares its load with one partner after the other (their ranks differ by a
              // power of two), and gives objects to less loaded partners; no memory grows with the
              // number of PEs
  from_file,  // as a file says: lines with the coordinates of an index and a PE, separated by
              // blanks. Objects without a line stay; lines for indices without an object do nothing
};

struct balance_options {
  balance_policy policy = balance_policy::greedy;
  std::string file{};  // of `from_file`

  // Nothing moves that costs more than it gains: the gain is the difference of the largest loads,
  // in seconds, times the number of sessions like the measured one that will follow; the cost is
  // the time to move the bytes of the objects. `bytes_per_second` 0: the loads are weights, and the
  // cost does not count.
  double sessions = 10;
  double bytes_per_second = 0;
};

// The report is the same on all PEs.
struct balance_report {
  double max_over_mean_before = 1;  // of the loads of the PEs
  double max_over_mean_after = 1;
  std::uint64_t objects_moved = 0;
  std::uint64_t bytes_moved = 0;
  // The moves would have cost more than they gain, and nothing moved.
  bool was_not_worth_it = false;
};

std::ostream& operator<<(std::ostream& out, const balance_report& r);

namespace detail {

// The plan of a rebalance for the objects of one PE.
struct balance_plan {
  std::vector<int> to;     // the PE of each object
  double load_before = 0;  // of the PE
  double load_after = 0;
};

// The indices of a PE's objects, for `from_file`.
struct index_texts {
  std::vector<std::string> of_objects{};  // by coordinates_of
  std::size_t num_coordinates = 1;        // of an index
};

// Collective. Plans by a policy for objects with the given loads. Throws argument_error on all PEs
// if the file cannot be read, names a PE that does not exist, or has a line of another form or two
// lines for an index.
[[nodiscard]] balance_plan plan_balance(const world& w, const balance_options& options,
                                        std::span<const double> loads, const index_texts& indices);

// Collective. Returns the report before the moves. `bytes` are those of the objects that leave the
// PE, and count only if the options have a bandwidth.
[[nodiscard]] balance_report judge_balance(world& w, const balance_options& options,
                                           const balance_plan& plan, std::uint64_t bytes);

// Returns the coordinates of an index, separated by blanks. An index that is no integer and no
// array has one coordinate, the hash.
template <typename Index>
[[nodiscard]] std::string coordinates_of(const Index& index) {
  if constexpr (!box_index<Index>) return std::to_string(key_hash<Index>()(index));
  std::string text = text_of_index(index);
  std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ','; });
  return text;
}

}  // namespace detail

// Collective. Legal without a session. Moves objects by a policy, in a session of its own. If loads
// are measured, they become 0, and measuring begins anew. Throws argument_error on all PEs if the
// options cannot work.
template <typename T, typename Index>
balance_report rebalance(collection<T, Index>& c, const balance_options& options = {}) {
  world& w = c.the_world();
  std::vector<Index> indices;
  std::vector<double> loads;
  detail::index_texts names;
  if constexpr (detail::box_index<Index>) {
    names.num_coordinates = detail::box_traits<Index>::dimensions;
  }
  c.for_each_local([&](const Index& index, const T&) {
    indices.push_back(index);
    loads.push_back(c.load(index));
    if (options.policy == balance_policy::from_file) {
      names.of_objects.push_back(detail::coordinates_of(index));
    }
  });
  const detail::balance_plan plan = detail::plan_balance(w, options, loads, names);

  const auto for_each_that_leaves = [&](const auto& use) {
    for (std::size_t i = 0; i != indices.size(); ++i) {
      if (plan.to[i] != w.rank()) use(indices[i], plan.to[i]);
    }
  };
  std::uint64_t bytes = 0;
  if (options.bytes_per_second > 0) {
    for_each_that_leaves([&](const Index& index, int) { bytes += c.packed_bytes(index); });
  }
  balance_report report = detail::judge_balance(w, options, plan, bytes);
  if (!report.was_not_worth_it) {
    const collection_statistics before = c.statistics();
    {
      const session scope = c.begin();
      for_each_that_leaves([&](const Index& index, int pe) { c.migrate(index, pe); });
      c.finish();
    }
    report.objects_moved = w.reduce(c.statistics().migrations - before.migrations);
    report.bytes_moved = w.reduce(c.statistics().migrated_bytes - before.migrated_bytes);
  }
  if (c.measures_load()) {
    c.for_each_local([&](const Index& index, const T&) { c.set_load(index, 0); });
  }
  return report;
}

}  // namespace boxcar
