#include "measure.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "baseline.hpp"
#include "machine.hpp"
#include "runner.hpp"
#include "support/progress.hpp"

namespace boxcar::bench {
namespace {

// The same with fewer items, for contenders that need very long for each.
setting smaller(setting s) {
  constexpr std::uint64_t few = 10'000;
  s.items = std::min(s.items, few);
  return s;
}

// Collective.
std::vector<std::unique_ptr<contender>> contenders_of(world& w, benchmark& b, benchmark& small,
                                                      const request& wanted) {
  std::vector<std::unique_ptr<contender>> all = b.ours();
  if (!all.empty()) {
    for (auto& other : baselines_of(w, b.job(), small.job(), wanted)) {
      all.push_back(std::move(other));
    }
  }
  if (all.empty() || wants(wanted, "limit")) all.push_back(b.limit());
  return all;
}

}  // namespace

setting_result measure(world& w, const setting& s, const request& wanted) {
  const description& what = benchmark_of(wanted.benchmark);
  const std::unique_ptr<benchmark> b = what.make(w, s);
  const std::unique_ptr<benchmark> small = what.make(w, smaller(s));
  const auto contenders = contenders_of(w, *b, *small, wanted);
  setting_result result{s, std::string(w.substrate_name()), cores_of(w), {}};
  examples::progress display(w, wanted.benchmark, 1000);
  turns how;
  how.rounds = wanted.rounds;
  how.progress = [&](int done, int of) {
    display.look(static_cast<std::uint64_t>(1000 * done / of));
  };
  result.contenders = take_turns(w, contenders, how);
  return result;
}

}  // namespace boxcar::bench
