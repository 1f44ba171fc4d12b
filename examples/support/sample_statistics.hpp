// Order statistics, means and deviations of measured values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace examples {

// A quartile between two values is their mean. Source: the specification of Graph500, section 9.
struct sample_statistics {
  double min, first_quartile, median, third_quartile, max;
  double mean, deviation;  // the deviation is 0 if there is one value

  // Precondition: there is a value.
  explicit sample_statistics(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t last = values.size() - 1;
    const auto quantile = [&](std::size_t quarters) {
      return (values[quarters * last / 4] + values[(quarters * last + 3) / 4]) / 2;
    };
    min = values.front();
    first_quartile = quantile(1);
    median = quantile(2);
    third_quartile = quantile(3);
    max = values.back();
    const auto n = static_cast<double>(values.size());
    mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    deviation = last == 0 ? 0 : std::sqrt(squares / (n - 1));
  }
};

// The harmonic mean of rates, and its standard error, which is 0 if there is one rate. Source:
// Norris, The standard errors of the geometric and harmonic means and their application to index
// numbers, Annals of Mathematical Statistics 11, 1940.
struct harmonic_statistics {
  double mean, error;

  // Precondition: there is a rate, and no rate is 0.
  explicit harmonic_statistics(std::vector<double> rates) {
    for (double& rate : rates) rate = 1 / rate;
    const auto n = static_cast<double>(rates.size());
    const sample_statistics inverse(std::move(rates));
    mean = 1 / inverse.mean;
    error = n < 2 ? 0 : inverse.deviation * mean * mean / std::sqrt(n - 1);
  }
};

}  // namespace examples
