// A random permutation of n numbers, distributed over all PEs in blocks. Every number goes to a
// random PE; each PE shuffles its numbers; and the numbers, now in random order over all PEs, go to
// the places that follow from the counts of the PEs before.
//
//   boxcar run -n 4 -- permutation --numbers 4000000

#include <algorithm>
#include <cstdio>
#include <random>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/report.hpp"
#include "support/require.hpp"

namespace {

using number = std::uint64_t;

struct placed {
  number place;
  number value;
};

// Place i of an array of n lies on PE i / length, at i % length.
number block_length(number n, number pes) {
  return std::max<number>((n + pes - 1) / pes, 1);
}

std::vector<number> random_permutation(boxcar::world& w, number n, number seed) {
  const auto pes = static_cast<number>(w.size());
  const auto rank = static_cast<number>(w.rank());
  const number length = block_length(n, pes);
  const number first = std::min(rank * length, n);
  const number last = std::min(first + length, n);
  std::mt19937_64 random(seed * pes + rank);

  std::vector<number> here;
  boxcar::exchange<number>(
      w,
      [&](auto& out) {
        std::uniform_int_distribution<int> any(0, w.size() - 1);
        for (number i = first; i < last; ++i) out.push(i, any(random));
      },
      [&](number i) { here.push_back(i); });
  std::shuffle(here.begin(), here.end(), random);

  const std::vector<number> counts = w.all_gather(number{here.size()});
  number place = 0;
  for (number pe = 0; pe < rank; ++pe) place += counts[pe];
  std::vector<number> block(last - first);
  boxcar::exchange<placed>(
      w,
      [&](auto& out) {
        for (const number value : here) {
          out.push({place % length, value}, static_cast<int>(place / length));
          ++place;
        }
      },
      [&](const placed& p) { block[p.place] = p.value; });
  return block;
}

// Checks that every number occurs once: each is sent to the PE of its own place.
void check(boxcar::world& w, number n, const std::vector<number>& block) {
  const number length = block_length(n, static_cast<number>(w.size()));
  std::vector<int> seen(block.size());
  boxcar::exchange<number>(
      w,
      [&](auto& out) {
        for (const number value : block) out.push(value % length, static_cast<int>(value / length));
      },
      [&](number place) { ++seen[place]; });
  examples::require(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }),
                    "this is no permutation");
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Makes a random permutation.");
    const number n = given.number("--numbers", 1'000'000, {0, 1u << 31}, "how many, on all PEs");
    const number seed =
        given.number("--seed", 1, {0, 1u << 31}, "another one, another permutation");
    if (!given.complete(w)) return;
    const std::vector<number> block = random_permutation(w, n, seed);
    check(w, n, block);
    if (w.rank() == 0) {
      std::printf("a permutation of %s numbers; it begins with", examples::with_commas(n).c_str());
      for (std::size_t i = 0; i < std::min<std::size_t>(block.size(), 5); ++i) {
        std::printf(" %llu", static_cast<unsigned long long>(block[i]));
      }
      std::printf("\n");
    }
  });
}
