// Tests of columns of words: the written length is the computed length, and reading restores the
// words.
#include "codec/column.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "codec/exact_memory.hpp"
#include "support/dice.hpp"

namespace boxcar::test::column_test {
namespace {

using detail::bits_to_send;
using detail::column;
using detail::whole_bytes;

TEST(whole_bytes, are_those_with_a_bit) {
  dice d(1);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t mask = d.next() & d.next() & d.next() & d.next();
    for (int byte = 0; byte < 64; byte += 8) {
      const std::uint64_t expected = (mask >> byte & 0xff) != 0 ? 0xff : 0;
      ASSERT_EQ(whole_bytes(mask) >> byte & 0xff, expected) << std::hex << mask;
    }
  }
}

TEST(bits_to_send, are_whole_bytes_if_that_is_nearly_as_short) {
  EXPECT_EQ(bits_to_send(0), 0U);
  EXPECT_EQ(bits_to_send(0xff), 0xffU);
  EXPECT_EQ(bits_to_send(0x7f), 0x7fU);  // 8 bits for 7 would be a seventh more
  EXPECT_EQ(bits_to_send(0x1f'ffff), 0x1f'ffffU);
  EXPECT_EQ(bits_to_send(0x3f'ffff), 0xff'ffffU);
  EXPECT_EQ(bits_to_send(0x01ff'ffff'ffff'ffff), ~std::uint64_t{0});
}

void expect_round_trip(const column& c, std::uint64_t constant, dice& d) {
  SCOPED_TRACE(testing::Message() << c.words << " words, stride " << c.stride << ", sent "
                                  << std::hex << c.sent << ", constant " << constant);
  const std::size_t span = (c.words - 1) * c.stride + sizeof(std::uint64_t);
  exact_memory words(span);
  for (std::size_t i = 0; i < c.words; ++i) {
    const std::uint64_t word = constant | (d.next() & c.sent);
    std::memcpy(words.data() + i * c.stride, &word, sizeof word);
  }

  constexpr std::size_t overrun = 8;
  exact_memory sent(c.bytes() + overrun);
  ASSERT_EQ(detail::write_column(c, words.data(), sent.data()), sent.data() + c.bytes());
  // The reader must ignore the bytes behind the column.
  std::memset(sent.data() + c.bytes(), 0xff, overrun);

  exact_memory read(span);
  ASSERT_EQ(detail::read_column(c, sent.data(), constant, read.data()), sent.data() + c.bytes());
  // The bytes between the words are unchanged, too.
  ASSERT_EQ(std::memcmp(read.data(), words.data(), span), 0);
}

std::uint64_t random_mask(dice& d) {
  switch (d.below(4)) {
    case 0:
      return d.next();
    case 1:  // an integer with constant high bits
      return detail::low_bits(static_cast<unsigned>(d.below(64)));
    case 2:  // an integer at any position
      return detail::low_bits(static_cast<unsigned>(d.below(40))) << d.below(24);
    default:
      return d.next() & d.next() & d.next();
  }
}

TEST(column, is_read_as_it_was_written) {
  dice d(2);
  for (int i = 0; i < 6000; ++i) {
    const std::uint64_t sent = bits_to_send(random_mask(d));
    const auto words = static_cast<std::size_t>(1 + d.below(d.chance(20) ? 3000 : 100));
    const std::size_t stride = d.pick<std::size_t>({8, 16, 24, 72, 1000});
    expect_round_trip({words, stride, sent}, d.next() & ~sent, d);
    if (HasFatalFailure()) return;
  }
}

TEST(column, of_every_number_of_bits) {
  dice d(3);
  for (unsigned bits = 0; bits < 64; ++bits) {
    for (std::size_t words = 1; words < 130; ++words) {
      const std::uint64_t sent = bits_to_send(detail::low_bits(bits));
      expect_round_trip({words, 8, sent}, ~sent, d);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace boxcar::test::column_test
