// Figures of contenders whose runs go on while the PE computes, where that was measured. Times are
// those of a run on the slowest PE, in seconds; medians of the rounds.
#pragma once

#include <optional>

#include "result.hpp"

namespace boxcar::bench {

// Of a run alone, from its start until it has been waited for. Of any contender that was measured
// and whose items are runs.
[[nodiscard]] double latency(const contender_result& c);
// Of the computation alone, and of a run with it.
[[nodiscard]] double computing_time(const contender_result& c);
[[nodiscard]] double time_of_both(const contender_result& c);
// Which share of the shorter of a run and the computation takes no time beside the other, 0 to 1
// (NBCBench, IMB-NBC).
[[nodiscard]] double overlap(const contender_result& c);
// By how much a run makes the computation longer: less than nothing only by chance.
[[nodiscard]] double rest(const contender_result& c);
// `rest` relative to the least of a baseline, if there is one and both are more than nothing.
[[nodiscard]] std::optional<double> rest_to_best_baseline(const setting_result& all,
                                                          const contender_result& c);

}  // namespace boxcar::bench
