// Table 2.4: the packets of 8 MiB in messages of every size.
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/model.hpp>

namespace boxcar::test::packets_test {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = kib * kib;

struct line {
  std::int64_t message_bytes;
  double packets;
  double packets_exact_to;  // half of the last printed digit
  double mebibytes;
};

// The paper prints 8.89 for 2 KiB, which is no whole number of chunks per message, and 9.13 for 4
// KiB, which is more than eighteen packets hold: by the count of all other lines they are 8.875 and
// 8.625.
const std::vector<line> table{{8, 1 * mib, 0, 128},
                              {16, 512 * kib, 0, 64},
                              {32, 256 * kib, 0, 40},
                              {64, 128 * kib, 0, 24},
                              {128, 64 * kib, 0, 16},
                              {256, 64 * kib, 0, 12},
                              {512, 48 * kib, 0, 10},
                              {1 * kib, 40 * kib, 0, 9.25},
                              {2 * kib, 36 * kib, 0, 8.875},
                              {4 * kib, 36 * kib, 0, 8.625},
                              {8 * kib, 34 * kib, 0, 8.5},
                              {16 * kib, 34 * kib, 0, 8.45},
                              {32 * kib, 33.8 * kib, 0.05 * kib, 8.42},
                              {64 * kib, 33.6 * kib, 0.05 * kib, 8.41}};

bool agrees(const line& l, std::int64_t envelope_bytes) {
  const std::int64_t messages = 8 * mib / l.message_bytes;
  const model::packet_count each = model::packets_of(l.message_bytes + envelope_bytes);
  const auto packets = static_cast<double>(messages * each.packets);
  const double mebibytes = static_cast<double>(messages * each.bytes) / mib;
  return std::abs(packets - l.packets) <= l.packets_exact_to &&
         std::abs(mebibytes - l.mebibytes) <= 0.005;
}

TEST(packets, are_those_of_table_2_4_for_every_likely_envelope) {
  for (std::int64_t envelope = 85; envelope <= 92; ++envelope) {
    for (const line& l : table) {
      EXPECT_TRUE(agrees(l, envelope)) << l.message_bytes << " bytes, envelope " << envelope;
    }
  }
}

TEST(packets, of_other_envelopes_would_be_others) {
  for (const std::int64_t envelope : {84, 93}) {
    bool all = true;
    for (const line& l : table) all = all && agrees(l, envelope);
    EXPECT_FALSE(all) << "envelope " << envelope;
  }
}

TEST(packets, at_the_edges) {
  EXPECT_EQ(model::packets_of(0).packets, 1);  // an empty message is one packet
  EXPECT_EQ(model::packets_of(0).bytes, 32);
  EXPECT_EQ(model::packets_of(244).packets, 1);
  EXPECT_EQ(model::packets_of(244).bytes, 256);
  EXPECT_EQ(model::packets_of(245).packets, 2);
  EXPECT_EQ(model::packets_of(245).bytes, 256 + 32);
  EXPECT_THROW((void)model::packets_of(-1), argument_error);
  EXPECT_THROW((void)model::packets_of(1, {.packet_bytes = 12}), argument_error);
}

}  // namespace
}  // namespace boxcar::test::packets_test
