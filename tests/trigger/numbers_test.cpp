// Atomic operations and swaps of an adapter on numbers of all types.
#include "trigger/numbers.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>
#include <vector>

#include "support/dice.hpp"

namespace boxcar::test::numbers_test {
namespace {

template <typename T>
class numbers : public testing::Test {
 protected:
  static constexpr number_type type = number_type_of<T>();
  using rule = detail::number_rule;

  // Applies a rule to one number at an unaligned address.
  static T after(const rule& r, T there, T sent, bool swaps, T* before = nullptr) {
    std::array<std::byte, 3 * sizeof(T) + 1> place{};
    std::byte* const at = place.data() + 1;
    std::memcpy(at, &there, sizeof there);
    std::memcpy(at + sizeof(T), &sent, sizeof sent);
    (swaps ? detail::swap_numbers : detail::combine)(
        r, at, at + sizeof(T), before == nullptr ? nullptr : at + 2 * sizeof(T), sizeof(T));
    if (before != nullptr) std::memcpy(before, at + 2 * sizeof(T), sizeof(T));
    T is{};
    std::memcpy(&is, at, sizeof is);
    return is;
  }
  static T combined(arithmetic how, T there, T sent) {
    return after({.type = type, .how = how}, there, sent, false);
  }
  static T swapped(swap_rule when, T there, T sent, T operand) {
    return after({.type = type, .when = when, .operand = operation::operand_of(operand)}, there,
                 sent, true);
  }
};

using all_types =
    testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double, long long, char>;
TYPED_TEST_SUITE(numbers, all_types);

TYPED_TEST(numbers, have_their_size) {
  EXPECT_EQ(detail::bytes_of(TestFixture::type), sizeof(TypeParam));
  EXPECT_EQ(detail::is_integer(TestFixture::type), std::is_integral_v<TypeParam>);
}

TYPED_TEST(numbers, are_combined) {
  using T = TypeParam;
  using enum arithmetic;
  const auto of = [](arithmetic how, T a, T b) { return TestFixture::combined(how, a, b); };
  EXPECT_EQ(of(sum, T{5}, T{3}), T{8});
  EXPECT_EQ(of(product, T{5}, T{3}), T{15});
  EXPECT_EQ(of(minimum, T{5}, T{3}), T{3});
  EXPECT_EQ(of(minimum, T{3}, T{5}), T{3});
  EXPECT_EQ(of(maximum, T{5}, T{3}), T{5});
  EXPECT_EQ(of(maximum, T{3}, T{5}), T{5});
  EXPECT_EQ(of(logical_and, T{5}, T{3}), T{1});
  EXPECT_EQ(of(logical_and, T{5}, T{0}), T{0});
  EXPECT_EQ(of(logical_or, T{0}, T{3}), T{1});
  EXPECT_EQ(of(logical_or, T{0}, T{0}), T{0});
  EXPECT_EQ(of(logical_xor, T{5}, T{3}), T{0});
  EXPECT_EQ(of(logical_xor, T{0}, T{3}), T{1});
  if constexpr (std::is_integral_v<T>) {
    EXPECT_EQ(of(bit_and, T{6}, T{3}), T{2});
    EXPECT_EQ(of(bit_or, T{6}, T{3}), T{7});
    EXPECT_EQ(of(bit_xor, T{6}, T{3}), T{5});
    // Integers wrap around.
    EXPECT_EQ(of(sum, std::numeric_limits<T>::max(), T{1}), std::numeric_limits<T>::min());
    EXPECT_EQ(of(product, std::numeric_limits<T>::max(), T{2}), static_cast<T>(-2));
  }
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(of(minimum, T{-5}, T{3}), T{-5});
    EXPECT_EQ(of(product, T{-5}, T{3}), T{-15});
  }
}

TYPED_TEST(numbers, are_swapped_by_rules) {
  using T = TypeParam;
  using enum swap_rule;
  constexpr T there = 5;
  constexpr T sent = 9;
  const auto is_swapped = [](swap_rule when, T operand) {
    const T is = TestFixture::swapped(when, there, sent, operand);
    EXPECT_TRUE(is == sent || is == there);
    return is == sent;
  };
  struct line {
    swap_rule rule;
    std::array<bool, 3> swaps;  // if the operand is less, equal, greater
  };
  const std::array<line, 7> table{{{always, {true, true, true}},
                                   {if_equal, {false, true, false}},
                                   {if_not_equal, {true, false, true}},
                                   {if_less, {true, false, false}},
                                   {if_less_or_equal, {true, true, false}},
                                   {if_greater, {false, false, true}},
                                   {if_greater_or_equal, {false, true, true}}}};
  for (const line& l : table) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(is_swapped(l.rule, static_cast<T>(4 + static_cast<int>(i))), l.swaps[i])
          << static_cast<int>(l.rule) << ' ' << i;
    }
  }
  if constexpr (std::is_integral_v<T>) {
    EXPECT_EQ(TestFixture::swapped(masked, T{0b0101}, T{0b0010}, T{0b0011}), T{0b0110});
  }
}

TYPED_TEST(numbers, come_back_as_they_were) {
  using T = TypeParam;
  T before{};
  EXPECT_EQ(TestFixture::after({.type = TestFixture::type}, T{5}, T{3}, false, &before), T{8});
  EXPECT_EQ(before, T{5});
  EXPECT_EQ(TestFixture::after({.type = TestFixture::type}, T{5}, T{3}, true, &before), T{3});
  EXPECT_EQ(before, T{5});
}

// Many numbers; the fetched values may overwrite the operands.
TYPED_TEST(numbers, are_many) {
  using T = TypeParam;
  std::vector<T> there(100);
  std::vector<T> sent(100);
  dice d(1);
  for (T& t : there) t = static_cast<T>(d.below(100));
  for (T& s : sent) s = static_cast<T>(d.below(20));
  const std::vector<T> old_there = there;
  const std::vector<T> old_sent = sent;
  auto* const at = reinterpret_cast<std::byte*>(sent.data());
  detail::combine({.type = TestFixture::type}, reinterpret_cast<std::byte*>(there.data()), at, at,
                  100 * sizeof(T));
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(there[i], static_cast<T>(old_there[i] + old_sent[i]));
  }
  EXPECT_EQ(sent, old_there);
}

}  // namespace
}  // namespace boxcar::test::numbers_test
