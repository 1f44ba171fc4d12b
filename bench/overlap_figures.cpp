#include "overlap_figures.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace boxcar::bench {
namespace {

// The number of runs of a session, which is the same for all sessions.
double runs(const contender_result& c) {
  return static_cast<double>(c.items) / c.workers;
}

// The median of the results of `of_round` for all rounds.
template <typename OfRound>
double median_of(const contender_result& c, const OfRound& of_round) {
  std::vector<double> values;
  for (std::size_t r = 0; r < c.seconds.size(); ++r) {
    values.push_back(of_round(c.seconds[r], c.overlap->computing[r], c.overlap->both[r]));
  }
  return median(std::move(values));
}

}  // namespace

double latency(const contender_result& c) {
  return median(c.seconds) / runs(c);
}

double computing_time(const contender_result& c) {
  return median(c.overlap->computing) / runs(c);
}

double time_of_both(const contender_result& c) {
  return median(c.overlap->both) / runs(c);
}

double overlap(const contender_result& c) {
  return median_of(c, [](double alone, double computing, double both) {
    return std::clamp((alone + computing - both) / std::min(alone, computing), 0.0, 1.0);
  });
}

double rest(const contender_result& c) {
  return median_of(c, [](double, double computing, double both) { return both - computing; }) /
         runs(c);
}

std::optional<double> rest_to_best_baseline(const setting_result& all, const contender_result& c) {
  std::optional<double> best;
  for (const contender_result& other : all.contenders) {
    if (other.role != role::baseline || !other.measured() || !other.overlap) continue;
    best = std::min(best.value_or(rest(other)), rest(other));
  }
  if (!best || *best <= 0 || rest(c) <= 0) return std::nullopt;
  return rest(c) / *best;
}

}  // namespace boxcar::bench
