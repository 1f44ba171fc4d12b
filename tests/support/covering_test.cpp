// Tests that covering arrays cover every allowed pair, with few cases, and are the same in every
// run.
#include "support/covering.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace boxcar::test::covering_test {
namespace {

using array_case = std::vector<int>;
using allowed = bool (*)(const array_case&);

bool everything(const array_case& /*c*/) {
  return true;
}

// The product of parameters with `sizes` values, without forbidden combinations.
std::vector<array_case> product(const std::vector<int>& sizes, allowed is_allowed = everything) {
  std::vector<array_case> all{{}};
  for (const int size : sizes) {
    std::vector<array_case> longer;
    for (const array_case& c : all) {
      for (int value = 0; value < size; ++value) {
        longer.push_back(c);
        longer.back().push_back(value);
      }
    }
    all = longer;
  }
  std::erase_if(all, [is_allowed](const array_case& c) { return !is_allowed(c); });
  return all;
}

std::vector<covering_parameter> parameters_of(const std::vector<array_case>& cases,
                                              std::size_t count) {
  std::vector<covering_parameter> all;
  for (std::size_t p = 0; p < count; ++p) {
    all.push_back(parameter_of(cases, [p](const array_case& c) { return c[p]; }));
  }
  return all;
}

std::vector<array_case> chosen_from(const std::vector<array_case>& cases, std::size_t count) {
  const std::vector<double> costs(cases.size(), 1.0);
  return only_cases(cases, choose_covering(parameters_of(cases, count), costs));
}

using pair_set = std::set<std::tuple<std::size_t, int, std::size_t, int>>;

pair_set pairs_in(const std::vector<array_case>& cases) {
  pair_set pairs;
  for (const array_case& c : cases) {
    for (std::size_t a = 0; a < c.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) pairs.insert({a, c[a], b, c[b]});
    }
  }
  return pairs;
}

// Expects that at most `most` cases cover all pairs.
void expect_covered(const std::vector<int>& sizes, std::size_t most,
                    allowed is_allowed = everything) {
  const std::vector<array_case> all = product(sizes, is_allowed);
  const std::vector<array_case> chosen = chosen_from(all, sizes.size());
  EXPECT_EQ(pairs_in(chosen), pairs_in(all));
  EXPECT_LE(chosen.size(), most) << testing::PrintToString(sizes);
}

// The least number of cases is the product of the two largest sizes.
TEST(covering_array, covers_every_pair_with_few_cases) {
  expect_covered({2, 2, 2}, 4 + 2);
  expect_covered({3, 3, 3, 3}, 9 + 6);
  expect_covered({7, 3, 3, 2, 2}, 21 + 3);
  expect_covered({15, 14, 3}, 210);
  expect_covered({20, 7, 4, 3, 3, 2, 2}, 140 + 14);
}

TEST(covering_array, leaves_out_what_is_not_allowed) {
  expect_covered({4, 4, 3}, 16, [](const array_case& c) { return c[0] >= c[1]; });
  expect_covered({5, 5, 2}, 25, [](const array_case& c) { return c[0] != c[1] || c[2] == 1; });
}

TEST(covering_array, of_two_parameters_is_the_product) {
  EXPECT_EQ(chosen_from(product({4, 3}), 2), product({4, 3}));
}

TEST(covering_array, of_one_parameter_has_every_value_once) {
  EXPECT_EQ(chosen_from(product({5}), 1), product({5}));
  const std::vector<std::string> words{"a", "b", "a", "c", "b"};
  const auto chosen = covering_pairs(words, [](const std::string& word) { return word; });
  EXPECT_EQ(chosen, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(covering_array, of_nothing_is_empty) {
  EXPECT_TRUE(chosen_from({}, 3).empty());
  EXPECT_TRUE(chosen_from(product({3, 3}), 0).empty());
}

TEST(covering_array, is_the_same_every_time) {
  const std::vector<array_case> all = product({6, 5, 4, 3});
  EXPECT_EQ(chosen_from(all, 4), chosen_from(all, 4));
}

TEST(covering_array, has_parameters_of_which_every_value_occurs_once_only) {
  const std::vector<array_case> all = product({6, 6, 2});
  std::vector<covering_parameter> parameters = parameters_of(all, 3);
  for (covering_parameter& p : parameters) p.in_pairs = false;
  const std::vector<double> costs(all.size(), 1.0);
  EXPECT_EQ(choose_covering(parameters, costs).size(), 6U);
}

TEST(covering_array, has_cheap_cases_where_they_do) {
  const std::vector<array_case> all = product({2, 4, 4});
  std::vector<double> costs;
  for (const array_case& c : all) costs.push_back(c[0] == 0 ? 1 : 10);
  int expensive = 0;
  for (const std::size_t number : choose_covering(parameters_of(all, 3), costs)) {
    expensive += all[number][0];
  }
  EXPECT_EQ(expensive, 4);
}

}  // namespace
}  // namespace boxcar::test::covering_test
