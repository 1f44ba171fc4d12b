#include "support/report.hpp"

#include <algorithm>
#include <cstdio>

namespace examples {
namespace {

struct repeated_measurement {
  measurement total;
  std::uint64_t runs = 0;

  [[nodiscard]] double rate() const {
    return total.seconds > 0 ? static_cast<double>(total.items) / total.seconds : 0.0;
  }
  [[nodiscard]] std::uint64_t items_per_run() const { return total.items / runs; }
};

repeated_measurement measure(const measured_job& work, std::uint64_t parts,
                             const boxcar::conveyor_options& options) {
  constexpr double least_seconds = 0.05;
  repeated_measurement all;
  // All PEs go round equally often: a measurement is the same on all of them.
  do {
    const measurement one = work(parts, options);
    all.total.items += one.items;
    all.total.seconds += one.seconds;
    ++all.runs;
  } while (all.total.seconds < least_seconds);
  return all;
}

repeated_measurement measure_item_by_item(boxcar::world& w, const measured_job& work,
                                          std::size_t item_bytes, std::uint64_t items) {
  constexpr double seconds = 0.5;
  const auto trial_items = 1000 * static_cast<std::uint64_t>(w.size());
  boxcar::conveyor_options options;
  options.buffer_bytes = item_bytes;
  const measurement trial = work(std::max<std::uint64_t>(items / trial_items, 1), options);
  const double seconds_for_all = trial.seconds * static_cast<double>(items) /
                                 static_cast<double>(std::max<std::uint64_t>(trial.items, 1));
  return measure(work, static_cast<std::uint64_t>(seconds_for_all / seconds) + 1, options);
}

void print(const boxcar::world& w, const char* how, const std::string& items,
           const repeated_measurement& m) {
  if (w.rank() != 0) return;
  std::printf("  %-13s %9.2f M %s/s   (%s in %.2f ms", how, m.rate() / 1e6, items.c_str(),
              with_commas(m.items_per_run()).c_str(),
              m.total.seconds * 1e3 / static_cast<double>(m.runs));
  if (m.runs > 1) std::printf(", mean of %s runs", with_commas(m.runs).c_str());
  std::printf(")\n");
  std::fflush(stdout);
}

}  // namespace

void report(boxcar::world& w, const std::string& items, const measured_job& work, comparison with) {
  const repeated_measurement buffered = measure(work, 1, {});
  if (w.rank() == 0) {
    std::printf("  %-13s %9d (%s)\n", "PEs", w.size(), std::string(w.substrate_name()).c_str());
  }
  print(w, "in buffers", items, buffered);
  if (!with.wanted) return;
  const repeated_measurement single =
      measure_item_by_item(w, work, with.item_bytes, buffered.items_per_run());
  print(w, "item by item", items, single);
  if (w.rank() == 0 && single.rate() > 0) {
    std::printf("  %-13s %9.0f x\n", "ratio", buffered.rate() / single.rate());
  }
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
  return text;
}

}  // namespace examples
