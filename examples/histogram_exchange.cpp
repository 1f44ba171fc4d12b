// Histogram in one call: as histogram.cpp, but with `exchange` in place of a conveyor and a loop.
//
//   boxcar run -n 4 -- histogram_exchange        4 processes
//   BOXCAR_PES=4 histogram_exchange --compare    4 threads; also item by item

#include <boxcar/boxcar.hpp>

#include "support/histogram.hpp"
#include "support/progress.hpp"

namespace {

using number = std::uint64_t;

void count(boxcar::world& w, const std::vector<number>& index, std::vector<number>& table,
           const boxcar::conveyor_options& options) {
  const auto pes = static_cast<number>(w.size());
  examples::progress display(w, "histogram_exchange", index.size());
  boxcar::exchange<number>(
      w,
      [&](auto& out) {
        for (std::size_t i = 0; i < index.size(); ++i) {
          out.push(index[i] / pes, static_cast<int>(index[i] % pes));
          display.at(i);
        }
      },
      [&](number slot) { ++table[slot]; }, options);
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_histogram(argc, argv, count);
}
