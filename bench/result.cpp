#include "result.hpp"

#include <algorithm>

namespace boxcar::bench {
namespace {

double ratio_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Items per core that works for a contender.
double items_per_core(const setting_result& all, const contender_result& c) {
  return static_cast<double>(c.items) / std::min(c.workers, all.cores);
}

}  // namespace

double traffic::fill() const {
  std::uint64_t packets = 0;
  std::uint64_t capacity = 0;
  for (const hop_traffic& hop : hops) {
    packets += hop.packet_bytes;
    capacity += hop.capacity_bytes;
  }
  return ratio_of(packets, capacity);
}

const contender_result* setting_result::limit() const {
  const auto found = std::ranges::find(contenders, role::limit, &contender_result::role);
  return found == contenders.end() || !found->measured() ? nullptr : &*found;
}

bool setting_result::all_measured() const {
  return failure.empty() && std::ranges::all_of(contenders, &contender_result::measured);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double spread(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  return (most - least) / median(values);
}

double items_per_second_and_pe(const contender_result& c) {
  return static_cast<double>(c.items) / c.workers / median(c.seconds);
}

double ratio(const setting_result& all, const contender_result& c, const contender_result& other) {
  std::vector<double> rounds;
  for (std::size_t r = 0; r < std::min(c.seconds.size(), other.seconds.size()); ++r) {
    rounds.push_back(items_per_core(all, c) / c.seconds[r] * other.seconds[r] /
                     items_per_core(all, other));
  }
  return median(std::move(rounds));
}

}  // namespace boxcar::bench
