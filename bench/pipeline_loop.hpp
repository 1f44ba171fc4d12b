// The loop of a pipeline, for any kind of sends.
#pragma once

#include <cstdint>

#include "job.hpp"

namespace boxcar::bench {

// Goes once through the grid. `send(value, row)` sends a value to the next PE, `receive(row)` waits
// for a value of the PE before: the values of the rows, one after the other; PE 0 receives the last
// value of the grid, as of row 0.
template <typename Job, typename Send, typename Receive>
void do_pipeline(Job& job, const Send& send, const Receive& receive) {
  const std::uint64_t rows = job.rows();
  double corner = 0;
  for (std::uint64_t row = 1; row < rows; ++row) {
    corner = job.compute(row, job.is_first() ? 0 : receive(row));
    if (!job.is_last()) send(corner, row);
  }
  if (job.is_last() && !job.is_first()) send(corner, 0);
  if (!job.is_first()) return;
  job.feed_back(job.is_last() ? corner : receive(0));
}

}  // namespace boxcar::bench
