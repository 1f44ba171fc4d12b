// A pipeline of two conveyors: numbers go to PEs that transform them, and the results on to PEs
// that collect them. Both conveyors are active at once; an item may be in the second stage before
// other items have entered the first.
//
//   boxcar run -n 4 -- pipeline

#include <cstdio>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace {

using number = std::uint64_t;

number transform(number x) {
  return examples::mix(x);
}

// Returns the sum of the numbers collected by the PE.
number run_pipeline(boxcar::world& w, number items) {
  const auto pes = static_cast<number>(w.size());
  const auto first = static_cast<number>(w.rank()) * items;
  boxcar::conveyor<number> raw(w);
  boxcar::conveyor<number> finished(w);
  const boxcar::session entering = raw.begin();
  const boxcar::session leaving = finished.begin();
  number i = 0;
  number sum = 0;
  // The second stage ends after the first: until then there may be more to transform.
  while (finished.advance(!raw.advance(i == items))) {
    for (; i < items; ++i) {
      if (!raw.push(first + i, static_cast<int>((first + i) % pes))) break;
    }
    for (number x; raw.pull(x);) {
      const number result = transform(x);
      if (finished.push(result, static_cast<int>(result % pes))) continue;
      // No room in the second stage now.
      examples::require(raw.unpull(), "an item could not be put back");
      break;
    }
    for (number result; finished.pull(result);) {
      examples::require(result % pes == static_cast<number>(w.rank()), "an item went astray");
      sum += result;
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Sends numbers through two stages.");
    const number items = given.number("--items", 1'000'000, {0, 1'000'000'000}, "numbers of a PE");
    if (!given.complete(w)) return;
    examples::stopwatch watch(w);
    const number collected = run_pipeline(w, items);
    const double seconds = watch.seconds();
    number expected = 0;
    for (number i = 0; i < items; ++i) {
      expected += transform(static_cast<number>(w.rank()) * items + i);
    }
    examples::require(w.reduce(collected) == w.reduce(expected), "the results are not complete");
    if (w.rank() == 0) {
      const number all = items * static_cast<number>(w.size());
      std::printf("%s items through two stages in %.3f s\n", examples::with_commas(all).c_str(),
                  seconds);
    }
  });
}
