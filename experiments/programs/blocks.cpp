// Every PE puts blocks into windows of PEs drawn at random: what a network carries when buffers of
// this size leave for everywhere.
//
//   blocks=N   that a PE puts
//   bytes=N    of each
//
// Prints `seconds`.

#include <cstddef>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "random.hpp"
#include "report.hpp"

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    const std::vector<std::byte> block(static_cast<std::size_t>(a.number("bytes", 2048)));
    const long blocks = a.number("blocks", 100);
    boxcar::window<std::byte> there(w, block.size());
    experiments::random_numbers random(static_cast<std::uint64_t>(w.rank()));
    const double seconds = experiments::seconds_of(w, [&] {
      for (long i = 0; i < blocks; ++i) there.put(block, random.below(w.size()), 0);
      there.flush();
      w.barrier();
    });
    experiments::report(w, "seconds", seconds);
  });
}
