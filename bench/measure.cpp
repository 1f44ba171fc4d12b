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

// Collective.
std::vector<std::unique_ptr<contender>> contenders_of(world& w, benchmark& b,
                                                      const request& wanted) {
  std::vector<std::unique_ptr<contender>> all = b.ours();
  if (!all.empty()) {
    for (auto& other : baselines_of(w, b.job(), wanted)) all.push_back(std::move(other));
  }
  if (all.empty() || wants(wanted, "limit")) all.push_back(b.limit());
  return all;
}

}  // namespace

setting_result measure(world& w, const setting& s, const request& wanted) {
  const std::unique_ptr<benchmark> b = benchmark_of(wanted.benchmark).make(w, s);
  const auto contenders = contenders_of(w, *b, wanted);
  setting_result result{s, std::string(w.substrate_name()), std::min(w.size(), usable_cores()), {}};
  examples::progress display(w, wanted.benchmark, 1000);
  turns how;
  how.rounds = wanted.rounds;
  how.progress = [&](int done, int of) {
    display.look(static_cast<std::uint64_t>(1000 * done / of));
  };
  result.contenders = take_turns(w, b->job(), contenders, how);
  return result;
}

}  // namespace boxcar::bench
