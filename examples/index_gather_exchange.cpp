// Index-gather in one call: as index_gather.cpp, but with `exchange` in place of two conveyors and
// a loop. The place for a value does not travel: it is the ticket of the query, which stays on the
// PE and comes with the reply.
//
//   boxcar run -n 4 -- index_gather_exchange        4 processes
//   BOXCAR_PES=4 index_gather_exchange --compare    4 threads; also item by item

#include <boxcar/boxcar.hpp>

#include "support/gather.hpp"
#include "support/progress.hpp"

namespace {

using number = std::uint64_t;

std::vector<number> gather(boxcar::world& w, const std::vector<number>& array,
                           const std::vector<number>& index,
                           const boxcar::conveyor_options& options) {
  const auto pes = static_cast<number>(w.size());
  std::vector<number> gathered(index.size());
  examples::progress display(w, "index_gather_exchange", index.size());
  boxcar::exchange<number>(
      w,
      [&](auto& ask) {
        for (std::size_t i = 0; i < index.size(); ++i) {
          ask.push(index[i] / pes, static_cast<int>(index[i] % pes), i);
          display.at(i);
        }
      },
      [&](number place) { return array[place]; },
      [&](number value, std::size_t i) { gathered[i] = value; }, options);
  return gathered;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_gather(argc, argv, gather, sizeof(number));
}
