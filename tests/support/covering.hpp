// Covering arrays: from all cases of a product of parameters, a few cases with every pair of values
// of two parameters.
#pragma once

#include <cstddef>
#include <map>
#include <type_traits>
#include <vector>

namespace boxcar::test {

// A parameter of a list of cases.
struct covering_parameter {
  std::vector<int> values;  // the value in each case
  // true: each value has to occur with each value of the other parameters in pairs; false: each
  // value has to occur only once.
  bool in_pairs = true;
};

// Returns the numbers of the chosen cases, in ascending order. Every value of a parameter occurs in
// the chosen cases, and so does every pair of values of two parameters in pairs, if the value or
// the pair occurs in any case. A forbidden combination is left out of the cases. Preconditions:
// there is a cost for each case, and all costs are positive.
//
// The algorithm is greedy: the next case is the case with the most new values and pairs for its
// cost; among equals the case with the values that were chosen least often, then the first.
std::vector<std::size_t> choose_covering(const std::vector<covering_parameter>& parameters,
                                         const std::vector<double>& costs);

// Returns the parameter whose values a function of the case returns; the values are ordered by <.
template <typename Case, typename Key>
covering_parameter parameter_of(const std::vector<Case>& cases, const Key& key) {
  std::map<std::decay_t<std::invoke_result_t<const Key&, const Case&>>, int> numbers;
  covering_parameter parameter;
  for (const Case& c : cases) {
    parameter.values.push_back(
        numbers.try_emplace(key(c), static_cast<int>(numbers.size())).first->second);
  }
  return parameter;
}

// Returns a parameter whose values each have to occur only once.
template <typename Case, typename Key>
covering_parameter single_parameter_of(const std::vector<Case>& cases, const Key& key) {
  covering_parameter parameter = parameter_of(cases, key);
  parameter.in_pairs = false;
  return parameter;
}

// Returns the cases with the given numbers.
template <typename Case>
std::vector<Case> only_cases(const std::vector<Case>& cases,
                             const std::vector<std::size_t>& numbers) {
  std::vector<Case> some;
  for (const std::size_t number : numbers) some.push_back(cases[number]);
  return some;
}

// Returns some of the cases, with every pair of values of two keys that occurs in any case. A key
// is a function of the case.
template <typename Case, typename... Keys>
std::vector<Case> covering_pairs(const std::vector<Case>& cases, const Keys&... keys) {
  return only_cases(cases, choose_covering({parameter_of(cases, keys)...},
                                           std::vector<double>(cases.size(), 1.0)));
}

}  // namespace boxcar::test
