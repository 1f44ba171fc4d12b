// Measures the overlap of a broadcast with computation: the method of NBCBench
// (offloaded-collectives-2013, section V). The broadcast alone takes `pure`; then every PE starts
// the broadcast, computes for the time `pure`, and waits for the broadcast.
//
//   bytes=N
//
// Prints `pure`, `both`, in seconds, and `overlap`, a part of 1; of the slowest PE, medians.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace {

constexpr int rounds = 5;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <typename Work>
double median_seconds(boxcar::world& w, Work&& work) {
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(experiments::seconds_of(w, work));
  return median(all);
}

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    boxcar::window<std::byte> data(w, static_cast<std::size_t>(a.number("bytes", 8)));
    boxcar::collectives make(w);
    make.use(data);
    boxcar::collective broadcast = make.broadcast(data.local(), 0);
    const double pure = median_seconds(w, [&] {
      broadcast.start();
      broadcast.wait();
    });
    const auto computing = std::chrono::nanoseconds(static_cast<long>(pure * 1e9));
    const double both = median_seconds(w, [&] {
      broadcast.start();
      w.compute(computing);
      broadcast.wait();
    });
    experiments::report(w, "pure", pure);
    experiments::report(w, "both", both);
    experiments::report(w, "overlap", std::clamp((2 * pure - both) / pure, 0.0, 1.0));
  });
}
