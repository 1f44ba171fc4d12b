#include "limit.hpp"

#include <utility>

#include "histogram.hpp"

namespace boxcar::bench {
namespace {

class limit_benchmark final : public benchmark {
 public:
  explicit limit_benchmark(std::unique_ptr<benchmark> of) : of_(std::move(of)) {}
  [[nodiscard]] bench::job& job() override { return of_->job(); }
  std::vector<std::unique_ptr<contender>> ours() override { return {}; }
  std::unique_ptr<contender> limit() override { return of_->limit(); }

 private:
  std::unique_ptr<benchmark> of_;
};

}  // namespace

std::unique_ptr<benchmark> make_limit(world& w, const setting& s) {
  return std::make_unique<limit_benchmark>(make_histogram(w, s));
}

}  // namespace boxcar::bench
