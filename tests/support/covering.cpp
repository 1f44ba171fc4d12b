#include "support/covering.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace boxcar::test {
namespace {

// The targets of the chosen cases: the values and pairs of values that occur.
class covering_targets {
 public:
  explicit covering_targets(const std::vector<covering_parameter>& parameters, std::size_t cases)
      : targets_of_(cases) {
    for (std::size_t first = 0; first < parameters.size(); ++first) {
      add(cases, first, first, parameters);
      for (std::size_t second = 0; second < first; ++second) {
        if (parameters[first].in_pairs && parameters[second].in_pairs) {
          add(cases, first, second, parameters);
        }
      }
    }
    for (const auto& mine : targets_of_) num_new_.push_back(mine.size());
    is_covered_.resize(cases_of_.size());
    num_uncovered_ = cases_of_.size();
  }

  [[nodiscard]] bool all_covered() const { return num_uncovered_ == 0; }
  // Returns how many targets a case would cover that no chosen case covers.
  [[nodiscard]] std::size_t num_new(std::size_t number) const { return num_new_[number]; }

  void choose(std::size_t number) {
    for (const std::size_t target : targets_of_[number]) {
      if (is_covered_[target]) continue;
      is_covered_[target] = true;
      --num_uncovered_;
      for (const std::size_t other : cases_of_[target]) --num_new_[other];
    }
  }

 private:
  // A pair of a parameter with itself is the parameter's value.
  void add(std::size_t cases, std::size_t first, std::size_t second,
           const std::vector<covering_parameter>& parameters) {
    std::unordered_map<std::uint64_t, std::size_t> targets;
    for (std::size_t i = 0; i < cases; ++i) {
      const auto value = static_cast<std::uint64_t>(parameters[first].values[i]);
      const auto other = static_cast<std::uint64_t>(parameters[second].values[i]);
      const auto [at, is_new] = targets.try_emplace(value << 32 | other, cases_of_.size());
      if (is_new) cases_of_.emplace_back();
      cases_of_[at->second].push_back(i);
      targets_of_[i].push_back(at->second);
    }
  }

  std::vector<std::vector<std::size_t>> targets_of_;  // by case
  std::vector<std::vector<std::size_t>> cases_of_;    // by target
  std::vector<std::size_t> num_new_;                  // by case
  std::vector<bool> is_covered_;                      // by target
  std::size_t num_uncovered_ = 0;
};

// Counts the occurrences of the values of the parameters in the chosen cases.
class value_counts {
 public:
  explicit value_counts(const std::vector<covering_parameter>& parameters)
      : parameters_(parameters) {
    for (const covering_parameter& p : parameters) {
      counts_.emplace_back(p.values.empty() ? 0 : *std::ranges::max_element(p.values) + 1);
    }
  }

  void choose(std::size_t number) {
    for (std::size_t p = 0; p < counts_.size(); ++p) ++count(p, number);
  }
  [[nodiscard]] std::size_t sum(std::size_t number) {
    std::size_t all = 0;
    for (std::size_t p = 0; p < counts_.size(); ++p) all += count(p, number);
    return all;
  }

 private:
  std::size_t& count(std::size_t parameter, std::size_t number) {
    const int value = parameters_[parameter].values[number];
    return counts_[parameter][static_cast<std::size_t>(value)];
  }

  const std::vector<covering_parameter>& parameters_;
  std::vector<std::vector<std::size_t>> counts_;
};

}  // namespace

std::vector<std::size_t> choose_covering(const std::vector<covering_parameter>& parameters,
                                         const std::vector<double>& costs) {
  covering_targets targets(parameters, costs.size());
  value_counts counts(parameters);
  std::vector<std::size_t> chosen;
  while (!targets.all_covered()) {
    std::size_t best = 0;
    double best_worth = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const double worth = static_cast<double>(targets.num_new(i)) / costs[i];
      if (worth < best_worth || worth == 0) continue;
      if (worth > best_worth || counts.sum(i) < counts.sum(best)) best = i;
      best_worth = worth;
    }
    targets.choose(best);
    counts.choose(best);
    chosen.push_back(best);
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace boxcar::test
