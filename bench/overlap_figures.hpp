// Figures of contenders with overlapped computation, where it was measured. Times are the time of a
// run on the slowest PE, in seconds; medians of the rounds.
#pragma once

#include <optional>

#include "result.hpp"

namespace boxcar::bench {

// The time of a run alone, from its start until the end of the wait. Precondition: the contender
// was measured and its items are runs.
[[nodiscard]] double latency(const contender_result& c);
// The time of the computation alone, and of a run with computation.
[[nodiscard]] double computing_time(const contender_result& c);
[[nodiscard]] double time_of_both(const contender_result& c);
// The share of the shorter of a run and the computation that takes no time beside the other, 0 to 1
// (NBCBench, IMB-NBC).
[[nodiscard]] double overlap(const contender_result& c);
// The time by which a run makes the computation longer: negative only by chance.
[[nodiscard]] double rest(const contender_result& c);
// `rest` relative to the least `rest` of a baseline, if there is a baseline and both are positive.
[[nodiscard]] std::optional<double> rest_to_best_baseline(const setting_result& all,
                                                          const contender_result& c);

}  // namespace boxcar::bench
