// What a benchmark consists of, and which there are.
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

// One PE's part.
class benchmark {
 public:
  virtual ~benchmark() = default;
  [[nodiscard]] virtual bench::job& job() = 0;
  // Collective. Boxcar in all forms that the setting allows. They do the job, and must not outlive
  // this.
  virtual std::vector<std::unique_ptr<contender>> ours() = 0;
  // nullptr if there is none.
  virtual std::unique_ptr<contender> limit() { return nullptr; }
};

enum class table_size { none, any, power_of_two };

struct description {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::size_t> item_sizes;  // that it can do
  std::size_t usual_sizes = 1;          // so many, from the first on, if none is asked for
  table_size table = table_size::none;  // that may be given
  bool reads_file = false;              // if one is given
  // Of its problem, the usual one first; they say how many items there are, and the first has the
  // fewest, unless `usual_items` is there.
  std::vector<std::string_view> classes = {};
  std::size_t usual_classes = 1;  // as `usual_sizes`
  std::uint64_t columns = 0;      // that its grid usually has, if it has one
  std::size_t message_bytes = 0;  // into which it usually gathers items, if it does
  bool has_variants = false;      // of topologies
  bool sends = true;              // or one core works alone
  bool by_conveyor = true;        // or one-sided, if it sends
  bool overlaps = false;          // PEs compute during its runs
  bool has_picture = false;       // of latencies over sizes, and of overlap
  int least_pes = 1;
  // How many items each PE has if their number is not asked for. All else in the setting is
  // complete.
  std::uint64_t (*usual_items)(const setting& s) = nullptr;
  // Collective.
  std::unique_ptr<benchmark> (*make)(world& w, const setting& s);
};

[[nodiscard]] std::span<const description> benchmarks();
// Throws argument_error if there is none of this name.
[[nodiscard]] const description& benchmark_of(std::string_view name);
// Gives the values that are usual to what was not asked for, if these are several.
[[nodiscard]] sweep with_usual_values(const description& what, sweep values);
// Fills in what the benchmark decides.
[[nodiscard]] setting completed(const description& what, setting s);
// The same with fewer items, for contenders that need very long for each.
[[nodiscard]] setting smaller(const description& what, setting s);
// Throws argument_error for what the benchmark cannot do.
void check(const description& what, const setting& s);

}  // namespace boxcar::bench
