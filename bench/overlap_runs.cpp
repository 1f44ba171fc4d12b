#include "overlap_runs.hpp"

#include "result.hpp"

namespace boxcar::bench {

void overlap_runs::next(std::span<word> given) {
  collective_runs::next(given);
  start_clock();
}

void overlap_runs::take(std::span<const word> got) {
  stop_clock();
  collective_runs::take(got);
}

void overlap_runs::clear() {
  collective_runs::clear();
  seconds_.clear();
}

void overlap_runs::compute_alone() {
  for (std::uint64_t i = 0; i < runs(); ++i) {
    start_clock();
    compute();
    stop_clock();
  }
}

double overlap_runs::seconds() const {
  return median(seconds_) * static_cast<double>(runs());
}

void overlap_runs::start_clock() {
  world_.barrier();
  start_ = world_.now();
}

void overlap_runs::stop_clock() {
  seconds_.push_back(std::chrono::duration<double>(world_.now() - start_).count());
}

}  // namespace boxcar::bench
