// What a benchmark consists of, and which there are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <boxcar/world.hpp>

#include "contender.hpp"
#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// One PE's part.
class benchmark {
 public:
  virtual ~benchmark() = default;
  [[nodiscard]] virtual bench::job& job() = 0;
  // Collective. Boxcar in all forms that the setting allows. They do the job, and must not outlive
  // this.
  virtual std::vector<std::unique_ptr<contender>> ours() = 0;
  virtual std::unique_ptr<contender> limit() = 0;
};

struct description {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::size_t> item_sizes;  // that it can do; the first one if none is asked for
  bool has_table;                       // whose size can be given
  bool reads_file;                      // if one is given
  std::uint64_t bytes;  // of the items of all PEs together, if their number is not asked for
  // Collective.
  std::function<std::unique_ptr<benchmark>(world& w, const setting& s)> make;
  std::uint64_t items = 0;  // of each PE, if not asked for; 0: as many as `bytes` says
};

[[nodiscard]] std::span<const description> benchmarks();
// Throws argument_error if there is none of this name.
[[nodiscard]] const description& benchmark_of(std::string_view name);
// Fills in what the benchmark decides. Throws argument_error for what it cannot do.
[[nodiscard]] setting completed(const description& what, setting s);

}  // namespace boxcar::bench
