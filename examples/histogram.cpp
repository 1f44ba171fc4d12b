// Histogram: a table is distributed over all PEs, and every PE has a list of random indices into
// the whole table. Each index travels to the PE of its slot, and the PE counts the index.
// histogram_exchange.cpp does the same in one call.
//
//   boxcar run -n 4 -- histogram        4 processes
//   BOXCAR_PES=4 histogram --compare    4 threads; also item by item, without aggregation

#include "support/histogram.hpp"

#include <boxcar/boxcar.hpp>

#include "support/progress.hpp"

namespace {

using number = std::uint64_t;

// The loop is Figure 3 of the conveyors paper: push until a buffer is full, take what has arrived,
// move everything on, and say when there is nothing more to push.
void count(boxcar::world& w, const std::vector<number>& index, std::vector<number>& table,
           const boxcar::conveyor_options& options) {
  const auto pes = static_cast<number>(w.size());
  boxcar::conveyor<number> c(w, options);
  const boxcar::session session = c.begin();
  examples::progress display(w, "histogram", index.size());
  std::size_t i = 0;
  while (c.advance(i == index.size())) {
    for (; i < index.size(); ++i) {
      if (!c.push(index[i] / pes, static_cast<int>(index[i] % pes))) break;
    }
    for (number slot; c.pull(slot);) ++table[slot];
    display.at(i);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_histogram(argc, argv, count);
}
