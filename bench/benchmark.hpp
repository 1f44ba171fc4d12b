// A benchmark, its description, and the list of all benchmarks.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <boxcar/world.hpp>

#include "contender.hpp"
#include "job.hpp"
#include "setting.hpp"
#include "sweep.hpp"

namespace boxcar::bench {

// One PE's share of a benchmark.
class benchmark {
 public:
  virtual ~benchmark() = default;
  [[nodiscard]] virtual bench::job& job() = 0;
  // Collective. Returns Boxcar in all forms that the setting allows. The contenders do the job of
  // this benchmark, and must not outlive it.
  virtual std::vector<std::unique_ptr<contender>> ours() = 0;
  // nullptr if there is none.
  virtual std::unique_ptr<contender> limit() { return nullptr; }
};

enum class table_size { none, any, power_of_two };

struct description {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::size_t> item_sizes;  // possible sizes of items
  std::size_t usual_sizes = 1;          // number of sizes, from the first on, to run by default
  table_size table = table_size::none;  // possible size of the table
  bool reads_file = false;              // if a file is given
  // The classes of the problem, the usual class first. A class sets the number of items, and the
  // first class has the fewest items, unless `usual_items` is set.
  std::vector<std::string_view> classes = {};
  std::size_t usual_classes = 1;  // as `usual_sizes`
  std::uint64_t columns = 0;      // the usual number of columns of the grid, if there is a grid
  std::size_t message_bytes = 0;  // usual size of messages of gathered items, if items are gathered
  bool has_variants = false;      // variants of topologies
  bool sends = true;              // false: one core works alone
  bool by_conveyor = true;        // false: one-sided operations, if the benchmark sends
  bool overlaps = false;          // PEs compute during the runs
  bool has_picture = false;       // a picture of latencies over sizes, and of overlap
  int least_pes = 1;
  // Returns the default number of items of each PE. Precondition: the rest of the setting is
  // complete.
  std::uint64_t (*usual_items)(const setting& s) = nullptr;
  // Collective.
  std::unique_ptr<benchmark> (*make)(world& w, const setting& s);
};

[[nodiscard]] std::span<const description> benchmarks();
// Throws argument_error if no benchmark has the name.
[[nodiscard]] const description& benchmark_of(std::string_view name);
// Sets the values that were not given to the usual values, if the benchmark has several.
[[nodiscard]] sweep with_usual_values(const description& what, sweep values);
// Fills in the values that the benchmark decides.
[[nodiscard]] setting completed(const description& what, setting s);
// The setting with fewer items, for contenders that need very long for each item.
[[nodiscard]] setting smaller(const description& what, setting s);
// Throws argument_error for a setting that the benchmark cannot do.
void check(const description& what, const setting& s);

}  // namespace boxcar::bench
