#include "support/gather.hpp"

#include <string>

#include <boxcar/run.hpp>

#include "support/arguments.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace examples {
namespace {

using number = std::uint64_t;

// The whole array holds mix(g) at element g.
std::vector<number> make_array(const boxcar::world& w, number elements) {
  std::vector<number> array(elements);
  for (number place = 0; place < elements; ++place) {
    array[place] = mix(place * static_cast<number>(w.size()) + static_cast<number>(w.rank()));
  }
  return array;
}

void check(const std::vector<number>& index, const std::vector<number>& gathered) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    const number element = mix(index[i]);
    if (gathered[i] == element) continue;
    wrong_result("element " + std::to_string(index[i]) + " was gathered as " +
                 std::to_string(gathered[i]) + ", but is " + std::to_string(element));
  }
}

}  // namespace

int run_gather(int argc, const char* const* argv, const gather_function& gather,
               std::size_t item_bytes) {
  return boxcar::run([&](boxcar::world& w) {
    arguments given(argc, argv,
                    "Gathers values at random indices of an array spread over all PEs.");
    const number items = given.number("--items", 1'000'000, {0, 1'000'000'000}, "indices of a PE");
    const number elements =
        given.number("--elements", 65'536, {1, 1u << 30}, "elements of the array on a PE");
    const bool compare = given.flag("--compare", "also without aggregation, item by item");
    if (!given.complete(w)) return;

    const auto pes = static_cast<number>(w.size());
    const std::vector<number> array = make_array(w, elements);
    const auto work = [&](number parts, const boxcar::conveyor_options& options) {
      const auto index = random_numbers(items / parts, elements * pes, w.rank());
      stopwatch watch(w);
      const std::vector<number> gathered = gather(w, array, index, options);
      const double seconds = watch.seconds();
      check(index, gathered);
      return measurement{index.size() * pes, seconds};
    };
    report(w, "values", work, {compare, item_bytes});
  });
}

}  // namespace examples
