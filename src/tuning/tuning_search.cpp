#include "tuning/tuning_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace boxcar::detail {
namespace {

// Shares of the best time so far: a time below `better` is better, a time above `worse` is worse.
constexpr double better = 0.99;
constexpr double worse = 1.03;
// A setting replaces the usual setting only if its time is less than this share of the usual time.
constexpr double clearly_better = 0.97;
// Another way may be the best with other buffers if its time was within this factor of the best
// time.
constexpr double close = 1.3;
// A time beyond this factor is worse beyond doubt: one try is enough.
constexpr double hopeless = 1.6;
constexpr std::size_t tries_each = 2;
// In the end the search compares the medians of the best and of the usual setting, over
// `compared_each` sessions each.
constexpr std::size_t compared_each = 3;
constexpr int steps_to_compare = 2 * static_cast<int>(compared_each);
constexpr double never = std::numeric_limits<double>::infinity();
// The factors between buffer sizes in the first steps and in the last steps.
constexpr double far = 8;
constexpr double up = 4;
constexpr double half = 0.5;

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

tuning_search::tuning_search(std::vector<tunable_way> ways) : ways_(std::move(ways)) {
  best_ = next_ = usual();
  const bool is_open =
      ways_.size() > 1 || scaled(best_, 1 / half).has_value() || scaled(best_, half).has_value();
  if (!is_open) settle(best_, 0, 1);
}

bool tuning_search::is_possible(const tuned_setting& s) const {
  return s.way < ways_.size() && s.buffer_bytes >= ways_[s.way].min_bytes &&
         s.buffer_bytes <= ways_[s.way].most_bytes;
}

void tuning_search::measured(double nanoseconds_per_item, double fill) {
  ++steps_;
  if (!std::exchange(warm_, true)) return;  // next_ stays
  if (comparing_) {
    compared_.push_back(nanoseconds_per_item);
    compare();
  } else {
    tries_[next_].push_back(nanoseconds_per_item);
    fills_[next_] = fill;
    plan();
  }
}

void tuning_search::dropped() {
  if (comparing_) return settle(usual(), value_of(usual()), 1);
  tries_[next_].assign(tries_each, never);
  plan();
}

double tuning_search::value_of(const tuned_setting& s) const {
  const std::vector<double>& tried = tries_.at(s);
  return *std::min_element(tried.begin(), tried.end());
}

bool tuning_search::has_time_for(std::size_t tries) const {
  return steps_ + static_cast<int>(tries) + steps_to_compare <= max_steps;
}

bool tuning_search::is_known(const tuned_setting& s) const {
  const auto tried = tries_.find(s);
  return tried != tries_.end() && !tried->second.empty();
}

tuning_search::verdict tuning_search::consider(const tuned_setting& candidate) {
  if (candidate == best_) return verdict::worse;
  const std::vector<double>& tried = tries_[candidate];
  const double best = value_of(best_);
  if (!tried.empty()) {
    // Disturbances make a session longer: a short session says more than a long session.
    if (value_of(candidate) < better * best) {
      best_ = candidate;
      return verdict::better;
    }
    if (value_of(candidate) < worse * best) return verdict::same;
    if (tried.size() == tries_each || tried.front() > hopeless * best) return verdict::worse;
  }
  if (!has_time_for(tries_each - tried.size())) return verdict::worse;
  next_ = candidate;
  return verdict::unknown;
}

std::optional<tuned_setting> tuning_search::scaled(const tuned_setting& s, double factor) const {
  const auto bytes =
      static_cast<std::size_t>(std::llround(static_cast<double>(s.buffer_bytes) * factor));
  const tuned_setting other{s.way, bytes};
  return is_possible(other) ? std::optional(other) : std::nullopt;
}

// The function tries each way with the buffers chosen for the way: the largest differences come
// first.
tuning_search::verdict tuning_search::look_for_ways() {
  for (std::size_t way = 1; way < ways_.size(); ++way) {
    const verdict v = consider({way, ways_[way].buffer_bytes});
    if (v == verdict::unknown) return v;
  }
  return verdict::worse;
}

// The time of sessions changes little over wide ranges of sizes, and suddenly at their ends: the
// search tries sizes far apart first, then sizes between good and bad sizes.
tuning_search::verdict tuning_search::look_for_sizes() {
  const tuned_setting from = best_;
  const auto fill = fills_.find(from);
  for (const double factor : {1 / far, 1 / (far * far), up}) {
    // Buffers that leave half empty need not be larger.
    if (factor > 1 && fill != fills_.end() && fill->second < half) continue;
    const auto candidate = scaled(from, factor);
    if (candidate && consider(*candidate) == verdict::unknown) return verdict::unknown;
  }
  return narrow();
}

tuning_search::verdict tuning_search::narrow() {
  // The function considers the sizes tried earlier, as `between` does not return them again.
  std::vector<tuned_setting> tried;
  for (const auto& [setting, values] : tries_) {
    if (setting.way == best_.way && !values.empty()) tried.push_back(setting);
  }
  for (const tuned_setting& s : tried) {
    if (consider(s) == verdict::unknown) return verdict::unknown;
  }
  while (const auto candidate = between()) {
    if (!has_time_for(tries_each) && !is_known(*candidate)) break;
    if (consider(*candidate) == verdict::unknown) return verdict::unknown;
  }
  return verdict::same;
}

std::optional<tuned_setting> tuning_search::between() const {
  // The tried sizes of the best way, and whether each size is as good as the best size.
  const auto power_of = [](std::size_t bytes) { return std::log2(static_cast<double>(bytes)); };
  std::vector<std::pair<std::size_t, bool>> sizes;
  std::size_t best_at = 0;
  for (const auto& [setting, tried] : tries_) {
    if (setting.way != best_.way || tried.empty()) continue;
    if (setting == best_) best_at = sizes.size();
    sizes.emplace_back(setting.buffer_bytes, value_of(setting) < worse * value_of(best_));
  }
  std::size_t low = best_at;
  while (low > 0 && sizes[low - 1].second) --low;
  std::size_t high = best_at;
  while (high + 1 < sizes.size() && sizes[high + 1].second) ++high;
  const double below = low == 0 ? 0 : power_of(sizes[low].first) - power_of(sizes[low - 1].first);
  const double above =
      high + 1 == sizes.size() ? 0 : power_of(sizes[high + 1].first) - power_of(sizes[high].first);
  constexpr double neighbours = 1.5;  // in powers of two
  if (std::max(below, above) < neighbours) return std::nullopt;
  return below >= above ? scaled({best_.way, sizes[low].first}, std::exp2(-std::floor(below / 2)))
                        : scaled({best_.way, sizes[high].first}, std::exp2(std::floor(above / 2)));
}

tuning_search::verdict tuning_search::look_around() {
  const tuned_setting from = best_;
  for (const double factor : {half, 1 / half}) {
    const auto candidate = scaled(from, factor);
    if (candidate && consider(*candidate) == verdict::unknown) return verdict::unknown;
  }
  return verdict::same;
}

// With other buffers another way may be the best: the function tries ways that came close before,
// the closest first.
tuning_search::verdict tuning_search::look_for_ways_again() {
  const tuned_setting found = best_;
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t way = 0; way < ways_.size(); ++way) {
    const tuned_setting as_usual{way, ways_[way].buffer_bytes};
    if (way == found.way || !is_known(as_usual)) continue;
    const double value = value_of(as_usual);
    if (value < close * value_of(found)) others.emplace_back(value, way);
  }
  std::ranges::sort(others);
  for (const auto& [value, way] : others) {
    for (const double factor : {1.0, half, half * half}) {
      const auto candidate = scaled({way, found.buffer_bytes}, factor);
      if (candidate && consider(*candidate) == verdict::unknown) return verdict::unknown;
    }
  }
  return verdict::same;
}

void tuning_search::plan() {
  best_ = next_ = usual();
  if (tries_[best_].size() < tries_each) return;
  if (look_for_ways() == verdict::unknown) return;
  if (look_for_sizes() == verdict::unknown) return;
  if (look_for_ways_again() == verdict::unknown) return;
  if (look_around() == verdict::unknown) return;
  if (best_ == usual()) return settle(best_, value_of(best_), 1);
  comparing_ = true;
  compare();
}

void tuning_search::compare() {
  next_ = compared_.size() % 2 == 0 ? usual() : best_;
  if (compared_.size() < 2 * compared_each) return;
  std::vector<double> as_usual;
  std::vector<double> as_found;
  for (std::size_t i = 0; i < compared_.size(); i += 2) {
    as_usual.push_back(compared_[i]);
    as_found.push_back(compared_[i + 1]);
  }
  const double before = median_of(as_usual);
  const double after = median_of(as_found);
  if (after < clearly_better * before) {
    settle(best_, after, before / after);
  } else {
    settle(usual(), before, 1);
  }
}

void tuning_search::settle(const tuned_setting& found, double nanoseconds, double gain) {
  best_ = next_ = found;
  found_nanoseconds_ = nanoseconds;
  gain_ = gain;
  over_ = true;
}

}  // namespace boxcar::detail
