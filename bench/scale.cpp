#include "scale.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace boxcar::bench {
namespace {

constexpr std::size_t max_ticks = 8;

// Number `n` of ..., 1, 2, 5, 10, 20, ..., where number 0 is 1.
double round_number(int n) {
  constexpr std::array digits{1.0, 2.0, 5.0};
  const int decade = static_cast<int>(std::floor(n / 3.0));
  return digits[static_cast<std::size_t>(n - 3 * decade)] * std::pow(10, decade);
}

double power_of_two(int n) {
  return std::ldexp(1, n);
}

struct numbers {
  int first = 0;
  int last = 0;
};

// The last number of a kind that is at most `least`, and the first that is at least `most`; if both
// are the same number, one more number on either side.
template <typename Kind>
numbers around(const Kind& kind, int near_least, double least, double most) {
  numbers n{near_least, near_least};
  while (kind(n.first) > least) --n.first;
  while (kind(n.first + 1) <= least) ++n.first;
  n.last = n.first;
  while (kind(n.last) < most) ++n.last;
  if (n.first == n.last) {
    --n.first;
    ++n.last;
  }
  return n;
}

// Every `step`-th number, from the first at such an index.
template <typename Kind>
std::vector<double> every(int step, const Kind& kind, const numbers& n) {
  std::vector<double> values;
  for (int i = n.first; i <= n.last; ++i) {
    if (i % step == 0) values.push_back(kind(i));
  }
  return values;
}

}  // namespace

scale scale::linear(double least, double most) {
  constexpr int steps = 5;
  std::vector<double> ticks;
  for (int i = 0; i <= steps; ++i) ticks.push_back(least + (most - least) * i / steps);
  return {false, least, most, std::move(ticks)};
}

scale scale::by_tens(double least, double most) {
  const int near_least = 3 * static_cast<int>(std::floor(std::log10(least)));
  const numbers n = around(round_number, near_least, least, most);
  std::vector<double> ticks = every(1, round_number, n);
  for (int step = 3; ticks.size() > max_ticks; step += 3) ticks = every(step, round_number, n);
  return {true, round_number(n.first), round_number(n.last), std::move(ticks)};
}

scale scale::by_twos(double least, double most) {
  const int near_least = static_cast<int>(std::floor(std::log2(least)));
  const numbers n = around(power_of_two, near_least, least, most);
  std::vector<double> ticks = every(1, power_of_two, n);
  for (int step = 2; ticks.size() > max_ticks; ++step) ticks = every(step, power_of_two, n);
  return {true, power_of_two(n.first), power_of_two(n.last), std::move(ticks)};
}

scale::scale(bool logarithmic, double least, double most, std::vector<double> ticks)
    : logarithmic_(logarithmic), least_(least), most_(most), ticks_(std::move(ticks)) {}

double scale::at(double value) const {
  return (measure(value) - measure(least_)) / (measure(most_) - measure(least_));
}

double scale::measure(double value) const {
  return logarithmic_ ? std::log(value) : value;
}

}  // namespace boxcar::bench
