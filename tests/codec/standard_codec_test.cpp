// Tests of the standard codec alone: its output for all sorts of packets, with the bytes counted.
#include <bit>
#include <cstring>
#include <gtest/gtest.h>

#include <boxcar/codec.hpp>

#include "codec/exact_memory.hpp"
#include "codec/random_packets.hpp"
#include "support/dice.hpp"

namespace boxcar::test::standard_codec_test {
namespace {

// A buffer of packets on its way through the standard codec.
class trip {
 public:
  trip(std::size_t n, std::size_t packet_bytes)
      : what_{.tag_bytes = 0,
              .item_bytes = packet_bytes,
              .packet_bytes = packet_bytes,
              .max_items = n},
        n_(n),
        packets_(n * packet_bytes) {}

  [[nodiscard]] std::byte* packets() { return packets_.data(); }
  [[nodiscard]] std::size_t bytes() const { return packets_.bytes(); }
  [[nodiscard]] bool planned() const { return standard_codec()->plan(what_).has_value(); }

  // Compresses and decompresses, expects the input back, and returns the compressed size in bytes,
  // or 0.
  std::size_t go(std::size_t limit) {
    const codec_layout layout = standard_codec()->plan(what_).value();
    EXPECT_EQ(layout.stride, what_.packet_bytes);
    EXPECT_EQ(layout.slack, 0U);
    EXPECT_FALSE(layout.modifies_packets);
    const std::vector<std::byte> before(packets(), packets() + bytes());

    exact_memory compressed(limit + layout.overrun);
    const std::size_t sent =
        standard_codec()->compress(what_, nullptr, n_, packets(), limit, compressed.data());
    EXPECT_EQ(std::memcmp(packets(), before.data(), bytes()), 0) << "packets were modified";
    EXPECT_LE(sent, limit);
    EXPECT_LE(sent, bytes() / 10 * 9) << "that was not worth while";
    if (sent == 0) return 0;

    exact_memory arrived(sent + layout.overrun);
    std::memcpy(arrived.data(), compressed.data(), sent);
    exact_memory restored(bytes());
    standard_codec()->decompress(what_, nullptr, n_, sent, arrived.data(), restored.data());
    EXPECT_EQ(std::memcmp(restored.data(), packets(), bytes()), 0)
        << "packets are not what they were";
    return sent;
  }
  std::size_t go() { return go(bytes()); }

 private:
  cargo what_;
  std::size_t n_;
  exact_memory packets_;
};

// Integers of 8 bytes whose lowest `bits` bits vary.
std::size_t compressed_integers(std::size_t n, int bits) {
  dice d(1);
  trip t(n, 8);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t number = 0xabcdef0123456789 ^ (bits == 0 ? 0 : d.next() >> (64 - bits));
    std::memcpy(t.packets() + 8 * i, &number, 8);
  }
  return t.go();
}

TEST(standard_codec, sends_constant_data_once) {
  // For each byte the codec stores the mask of its varying bits, and the constant bits.
  EXPECT_EQ(compressed_integers(1000, 0), 8U + 8U);
  EXPECT_EQ(compressed_integers(100000, 0), 8U + 8U);
}

TEST(standard_codec, sends_half_constant_data_by_half) {
  EXPECT_EQ(compressed_integers(1000, 32), 8U + 4U + 4000U);
}

TEST(standard_codec, sends_bits_that_vary) {
  EXPECT_EQ(compressed_integers(1000, 20), 8U + 6U + 2500U);
  EXPECT_EQ(compressed_integers(1000, 1), 8U + 8U + 125U);
  EXPECT_EQ(compressed_integers(1001, 1), 8U + 8U + 126U);
}

TEST(standard_codec, sends_whole_bytes_if_that_is_nearly_as_short) {
  EXPECT_EQ(compressed_integers(1000, 23), 8U + 6U + 3000U);
  EXPECT_EQ(compressed_integers(1000, 56), 8U + 1U + 7000U);
}

TEST(standard_codec, leaves_random_data_alone) {
  EXPECT_EQ(compressed_integers(1000, 64), 0U);
  EXPECT_EQ(compressed_integers(1000, 60), 0U);
}

TEST(standard_codec, sends_packets_that_do_not_fill_words) {
  // 100 packets of 3 bytes are 12 units of 8 packets, and 4 packets behind them.
  trip t(100, 3);
  std::memset(t.packets(), 7, t.bytes());
  EXPECT_EQ(t.go(), 3U + 3U + 4U * 3U);
}

TEST(standard_codec, keeps_to_the_limit) {
  trip t(1000, 8);
  for (std::size_t i = 0; i < 1000; ++i) std::memcpy(t.packets() + 8 * i, &i, 8);
  const std::size_t least = t.go();
  EXPECT_EQ(least, 8U + 7U + 1250U);
  EXPECT_EQ(t.go(least), least);
  EXPECT_EQ(t.go(least - 1), 0U);
  EXPECT_EQ(t.go(1), 0U);
}

TEST(standard_codec, finds_what_varies_only_in_the_end) {
  trip t(1000, 8);
  std::memset(t.packets(), 0, t.bytes());
  t.packets()[t.bytes() - 1] = std::byte{1};
  EXPECT_EQ(t.go(), 8U + 8U + 125U);
}

TEST(standard_codec, refuses_what_makes_no_sense) {
  EXPECT_FALSE(trip(100, 1025).planned());
  EXPECT_FALSE(trip(15, 8).planned());
  EXPECT_TRUE(trip(16, 8).planned());
  EXPECT_TRUE(trip(16, 1024).planned());
}

TEST(standard_codec, is_one_for_all) {
  EXPECT_EQ(standard_codec(), standard_codec());
  EXPECT_EQ(standard_codec()->name(), "standard");
  EXPECT_EQ(standard_codec()->link({}, codec::direction::compress), nullptr);
}

// A buffer with fewer packets than its plan.
TEST(standard_codec, takes_any_number_of_packets) {
  dice d(2);
  const cargo what{.tag_bytes = 1, .item_bytes = 8, .packet_bytes = 9, .max_items = 1000};
  for (std::size_t n = 1; n <= 40; ++n) {
    exact_memory packets(9 * n, std::byte{3});
    exact_memory compressed(9 * n + 8);
    const std::size_t sent =
        standard_codec()->compress(what, nullptr, n, packets.data(), 9 * n, compressed.data());
    EXPECT_EQ(sent != 0, n == 8 || 18 + n % 8 * 9 <= n * 9 / 10 * 9) << n;
    if (sent == 0) continue;
    exact_memory restored(9 * n);
    standard_codec()->decompress(what, nullptr, n, sent, compressed.data(), restored.data());
    EXPECT_EQ(std::memcmp(restored.data(), packets.data(), 9 * n), 0) << n;
  }
}

class standard_codec_on : public testing::TestWithParam<int> {};

TEST_P(standard_codec_on, random_packets) {
  dice d(program_seed(static_cast<std::uint64_t>(GetParam())));
  const auto packet_bytes = static_cast<std::size_t>(GetParam());
  int compressed = 0;
  constexpr int tries = 200;
  for (int i = 0; i < tries; ++i) {
    const auto n = static_cast<std::size_t>(16 + d.below(d.chance(20) ? 5000 : 300));
    SCOPED_TRACE(testing::Message() << n << " packets");
    trip t(n, packet_bytes);
    fill_randomly(t.packets(), n, packet_bytes, d);
    if (t.go() != 0) ++compressed;
    if (HasFailure()) return;
  }
  EXPECT_GT(compressed, tries / 4);
}

INSTANTIATE_TEST_SUITE_P(of_bytes, standard_codec_on, testing::Range(1, 101));
INSTANTIATE_TEST_SUITE_P(of_more_bytes, standard_codec_on,
                         testing::Values(127, 128, 500, 1023, 1024));

}  // namespace
}  // namespace boxcar::test::standard_codec_test
