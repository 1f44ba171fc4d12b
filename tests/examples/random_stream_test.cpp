// Tests of the generator of random numbers: its known answers, and that the streams of different
// PEs are independent.
#include "support/random_stream.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "support/random.hpp"

namespace examples::test::random_stream_test {
namespace {

constexpr int pes = 64;
constexpr int steps = 1000;

struct known_answer {
  philox_block counter;
  std::uint64_t key;
  std::array<std::uint32_t, 4> block;
};

// The known answers come from the distribution of Random123 (kat_vectors, "philox4x32 10").
const known_answer known_answers[] = {
    {{{0, 0, 0, 0}}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
     0xffffffffffffffff,
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
     0x299f31d0a4093822,
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(philox, has_the_known_answers) {
  for (const known_answer& known : known_answers) {
    const philox_block block = philox_4x32_10(known.counter, known.key);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(block.word[i], known.block[i]);
  }
}

TEST(philox, two_numbers_of_a_stream_are_a_block) {
  philox_stream stream = philox_stream_of(0, 0);
  EXPECT_EQ(philox_next(&stream), 0xe169c58d6627e8d5);
  EXPECT_EQ(philox_next(&stream), 0x9b00dbd8bc57ac4c);
  const philox_block second = philox_4x32_10({{1, 0, 0, 0}}, 0);
  EXPECT_EQ(philox_next(&stream), std::uint64_t{second.word[1]} << 32 | second.word[0]);
}

// Returns the numbers of all PEs; `draw` returns the numbers of a PE.
template <typename Draw>
std::vector<std::vector<std::uint64_t>> numbers_of_all(Draw&& draw) {
  std::vector<std::vector<std::uint64_t>> all;
  for (int pe = 0; pe < pes; ++pe) all.push_back(draw(pe));
  return all;
}

// Returns the count of numbers that occur more than once. Shifted copies of a stream have numbers
// in common; independent streams of 64-bit numbers have none.
std::size_t numbers_in_common(const std::vector<std::vector<std::uint64_t>>& all) {
  std::set<std::uint64_t> different;
  std::size_t drawn = 0;
  for (const auto& numbers : all) {
    different.insert(numbers.begin(), numbers.end());
    drawn += numbers.size();
  }
  return drawn - different.size();
}

std::vector<std::uint64_t> first_numbers(std::uint64_t seed, int pe) {
  random_stream stream(seed, pe);
  std::vector<std::uint64_t> numbers(steps);
  for (std::uint64_t& number : numbers) number = stream();
  return numbers;
}

TEST(random_stream, no_stream_is_a_shift_of_another) {
  EXPECT_EQ(numbers_in_common(numbers_of_all([](int pe) { return first_numbers(1, pe); })), 0u);
}

TEST(random_stream, other_seeds_have_other_streams) {
  EXPECT_EQ(numbers_in_common(numbers_of_all(
                [](int seed) { return first_numbers(static_cast<std::uint64_t>(seed), 0); })),
            0u);
}

// The control: this generator adds a constant to a state that begins at a multiple of the constant.
TEST(random_stream, shifted_streams_are_noticed) {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  const auto shifted = [](int pe) {
    std::vector<std::uint64_t> numbers(steps);
    std::uint64_t state = static_cast<std::uint64_t>(pe) * step;
    for (std::uint64_t& number : numbers) number = mix(state += step);
    return numbers;
  };
  EXPECT_EQ(numbers_in_common(numbers_of_all(shifted)),
            static_cast<std::size_t>((pes - 1) * (steps - 1)));
}

TEST(random_stream, examples_draw_independently) {
  const auto draw = [](int pe) { return random_numbers(steps, std::uint64_t{1} << 63, pe); };
  EXPECT_EQ(numbers_in_common(numbers_of_all(draw)), 0u);
}

// Two PEs that draw one of `n` destinations at the same step collide with probability 1 / n. Any
// two pairs of PEs collide independently of one another, so that the variance of the count is the
// variance of a binomial distribution.
TEST(random_stream, destinations_collide_as_chance_has_it) {
  for (const int n : {2, 3, 64, 1000}) {
    std::vector<random_stream> streams;
    for (int pe = 0; pe < pes; ++pe) streams.emplace_back(1, pe);
    double collisions = 0;
    for (int i = 0; i < steps; ++i) {
      std::vector<int> drawn(static_cast<std::size_t>(n));
      for (random_stream& stream : streams) {
        collisions += drawn[static_cast<std::size_t>(stream.below(n))]++;
      }
    }
    const double pairs = double{steps} * pes * (pes - 1) / 2;
    const double expected = pairs / n;
    EXPECT_NEAR(collisions, expected, 5 * std::sqrt(expected * (1 - 1.0 / n))) << n;
  }
}

TEST(random_stream, numbers_lie_within_their_bounds) {
  random_stream stream(1, 0);
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(stream.below(1), 0);
    const int number = stream.below(3);
    EXPECT_TRUE(number >= 0 && number < 3) << number;
    const double uniform = stream.uniform();
    EXPECT_TRUE(uniform > 0 && uniform <= 1) << uniform;
  }
}

}  // namespace
}  // namespace examples::test::random_stream_test
