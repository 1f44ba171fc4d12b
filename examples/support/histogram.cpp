#include "support/histogram.hpp"

#include <boxcar/run.hpp>

#include "support/arguments.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace examples {
namespace {

using number = std::uint64_t;

// Checks that every index was counted in its own slot. A sum of mixed numbers needs no second
// table: an index that is lost, counted twice or in another slot changes the sum.
void check(boxcar::world& w, const std::vector<number>& index, const std::vector<number>& table) {
  const auto pes = static_cast<number>(w.size());
  const auto rank = static_cast<number>(w.rank());
  number sent = 0;
  for (const number slot : index) sent += mix(slot);
  number counted = 0;
  for (number place = 0; place < table.size(); ++place) {
    counted += table[place] * mix(place * pes + rank);
  }
  require(w.reduce(sent) == w.reduce(counted), "the counts are not those of the indices");
}

}  // namespace

int run_histogram(int argc, const char* const* argv, const count_function& count) {
  return boxcar::run([&](boxcar::world& w) {
    arguments given(argc, argv, "Counts random indices in a table that is spread over all PEs.");
    const number items = given.number("--items", 2'000'000, {0, 1'000'000'000}, "indices of a PE");
    const number slots =
        given.number("--slots", 65'536, {1, 1u << 30}, "slots of the table on a PE");
    const bool compare = given.flag("--compare", "also without aggregation, item by item");
    if (!given.complete(w)) return;

    const auto pes = static_cast<number>(w.size());
    const auto work = [&](number parts, const boxcar::conveyor_options& options) {
      const auto index = random_numbers(items / parts, slots * pes, w.rank());
      std::vector<number> table(slots);
      stopwatch watch(w);
      count(w, index, table, options);
      const double seconds = watch.seconds();
      check(w, index, table);
      return measurement{index.size() * pes, seconds};
    };
    report(w, "items", work, {compare, sizeof(number)});
  });
}

}  // namespace examples
