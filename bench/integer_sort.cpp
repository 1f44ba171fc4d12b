// Integer sort of the NAS Parallel Benchmarks: the exchange of keys, whose bandwidth
// one-sided-append-2014 studies (section 4).
#include "integer_sort.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "append_forms.hpp"
#include "integer_sort_class.hpp"
#include "integer_sort_job.hpp"
#include "one_way_limit.hpp"
#include "one_way_loops.hpp"

namespace boxcar::bench {
namespace {

class integer_sort final : public benchmark {
 public:
  integer_sort(world& w, const setting& s)
      : world_(w), setting_(s), job_(w, integer_sort_class_of(s.problem_class)) {}

  [[nodiscard]] bench::job& job() override { return job_; }
  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = append_forms(world_, setting_, job_);
    std::ranges::move(one_way_forms(world_, setting_, job_), std::back_inserter(all));
    return all;
  }
  std::unique_ptr<contender> limit() override {
    return std::make_unique<one_way_limit<integer_sort_job>>(world_, setting_, job_, job_);
  }

 private:
  world& world_;
  setting setting_;
  integer_sort_job job_;
};

}  // namespace

std::unique_ptr<benchmark> make_integer_sort(world& w, const setting& s) {
  return std::make_unique<integer_sort>(w, s);
}

}  // namespace boxcar::bench
