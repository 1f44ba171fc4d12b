// Tests of the detection of constant bits in packets, against byte by byte code.
#include "codec/pattern.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "codec/exact_memory.hpp"
#include "codec/random_packets.hpp"
#include "support/dice.hpp"

namespace boxcar::test::pattern_test {
namespace {

using detail::pattern;

struct byte_pattern {
  std::vector<std::byte> varying;
  std::vector<std::byte> constant;
};

byte_pattern byte_by_byte(const std::byte* packets, std::size_t n, std::size_t packet_bytes) {
  byte_pattern p{std::vector<std::byte>(packet_bytes), {packets, packets + packet_bytes}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t b = 0; b < packet_bytes; ++b) {
      p.varying[b] |= packets[i * packet_bytes + b] ^ packets[b];
    }
  }
  for (std::size_t b = 0; b < packet_bytes; ++b) p.constant[b] &= ~p.varying[b];
  return p;
}

void expect_pattern(const pattern& p, const byte_pattern& expected) {
  const std::size_t packet_bytes = expected.varying.size();
  for (std::size_t b = 0; b < p.unit_bytes(); ++b) {
    const std::size_t in_word = b % 8 * 8;
    ASSERT_EQ(std::byte(p.varying(b / 8) >> in_word & 0xff), expected.varying[b % packet_bytes]);
    ASSERT_EQ(std::byte(p.constant(b / 8) >> in_word & 0xff), expected.constant[b % packet_bytes]);
  }
}

void expect_found_and_sent(std::size_t packet_bytes, dice& d) {
  SCOPED_TRACE(testing::Message() << "packets of " << packet_bytes << " bytes");
  pattern p(packet_bytes);
  ASSERT_EQ(p.unit_bytes(), std::lcm(packet_bytes, std::size_t{8}));
  ASSERT_EQ(p.words() * 8, p.unit_bytes());
  ASSERT_EQ(p.packets_per_unit() * packet_bytes, p.unit_bytes());

  const auto units = static_cast<std::size_t>(2 + d.below(20));
  exact_memory packets(units * p.unit_bytes());
  fill_randomly(packets.data(), units * p.packets_per_unit(), packet_bytes, d);

  // The pattern is computed in one pass, or in two.
  const auto first = static_cast<std::size_t>(1 + d.below(static_cast<int>(units)));
  p.look_at(packets.data(), first);
  p.look_at(packets.data() + first * p.unit_bytes(), units - first);
  const byte_pattern expected =
      byte_by_byte(packets.data(), units * p.packets_per_unit(), packet_bytes);
  expect_pattern(p, expected);

  exact_memory sent(p.bytes());
  ASSERT_EQ(p.write(sent.data()), sent.data() + p.bytes());
  pattern arrived(packet_bytes);
  ASSERT_EQ(arrived.read(sent.data()), sent.data() + p.bytes());
  expect_pattern(arrived, expected);
  ASSERT_EQ(arrived.bytes(), p.bytes());
}

TEST(pattern, is_found_and_sent) {
  dice d(1);
  for (std::size_t packet_bytes = 1; packet_bytes <= pattern::max_packet;
       packet_bytes += packet_bytes < 100 ? 1 : 1 + d.next() % 50) {
    for (int i = 0; i < 10; ++i) {
      expect_found_and_sent(packet_bytes, d);
      if (HasFatalFailure()) return;
    }
  }
  expect_found_and_sent(1023, d);
  expect_found_and_sent(1024, d);
}

}  // namespace
}  // namespace boxcar::test::pattern_test
