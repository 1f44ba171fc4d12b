// Integer sort of the NAS Parallel Benchmarks: the exchange of keys, whose bandwidth
// one-sided-append-2014 studies (section 4).
#include "integer_sort.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "append_forms.hpp"
#include "integer_sort_job.hpp"
#include "one_way_benchmark.hpp"

namespace boxcar::bench {
namespace {

class integer_sort final : public one_way_benchmark<integer_sort_job> {
 public:
  using one_way_benchmark::one_way_benchmark;

  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = append_forms(world_, setting_, job_);
    std::ranges::move(one_way_benchmark::ours(), std::back_inserter(all));
    return all;
  }
};

}  // namespace

std::unique_ptr<benchmark> make_integer_sort(world& w, const setting& s) {
  return std::make_unique<integer_sort>(w, s);
}

}  // namespace boxcar::bench
