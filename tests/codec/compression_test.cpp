// Tests of the layer between a porter and a codec: buffers are packed, copied by hand, and
// unpacked.
#include "porter/compression.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include <boxcar/error.hpp>

#include "codec/odd_codecs.hpp"
#include "support/dice.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::compression_test {
namespace {

using detail::arrival;
using detail::compression;

constexpr std::size_t line = 64;
constexpr std::size_t trailer_bytes = sizeof(compression::trailer);

// Buffers of one link, as a link set has them: at the sender and at the receiver.
class link_of_one_hop {
 public:
  link_of_one_hop(const std::shared_ptr<codec>& c, std::size_t buffer_bytes, std::size_t tag_bytes,
                  std::size_t item_bytes)
      : packet_bytes_(tag_bytes + item_bytes),
        max_items_(std::max<std::size_t>(buffer_bytes / packet_bytes_, 1)),
        room_((buffer_bytes + 8 + line - 1) / line * line),
        compression_(compression::planned_by(c, {tag_bytes, item_bytes, packet_bytes_, max_items_},
                                             {1, 1, room_})),
        sender_(room_ + line),
        receiver_(room_ + line) {}

  [[nodiscard]] std::size_t max_items() const { return max_items_; }
  [[nodiscard]] std::byte* to_fill() { return aligned(sender_); }

  // Sends `n` filled packets, expects them to arrive, and returns the number of bytes sent.
  std::size_t send(std::size_t n) {
    const std::vector<std::byte> before(to_fill(), to_fill() + n * packet_bytes_);
    const std::size_t sent = compression_->pack(0, to_fill(), before.size());
    EXPECT_LE(sent, room_);
    if (sent == 0) return 0;
    std::memcpy(aligned(receiver_), to_fill(), sent);

    arrival a;
    a.data = aligned(receiver_);
    a.bytes = static_cast<std::uint32_t>(sent);
    a.slot = 7;
    compression_->unpack(a);
    EXPECT_EQ(a.bytes, before.size());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data) % line, 0U);
    EXPECT_EQ(std::memcmp(a.data, before.data(), before.size()), 0);
    // The slot is returned as received.
    EXPECT_EQ(compression_->as_it_came(a).data, aligned(receiver_));
    EXPECT_EQ(compression_->as_it_came(a).slot, 7U);
    return sent;
  }

 private:
  static std::byte* aligned(std::vector<std::byte>& memory) {
    void* start = memory.data();
    std::size_t space = memory.size();
    return static_cast<std::byte*>(std::align(line, 1, start, space));
  }

  std::size_t packet_bytes_;
  std::size_t max_items_;
  std::size_t room_;
  std::unique_ptr<compression> compression_;
  std::vector<std::byte> sender_;
  std::vector<std::byte> receiver_;
};

TEST(compression, leaves_an_empty_buffer_empty) {
  link_of_one_hop link(standard_codec(), 1024, 0, 8);
  EXPECT_EQ(link.send(0), 0U);
}

TEST(compression, adds_a_trailer_to_packets_as_they_are) {
  dice d(1);
  link_of_one_hop link(standard_codec(), 1024, 0, 8);
  std::generate_n(link.to_fill(), 1024, [&] { return static_cast<std::byte>(d.next()); });
  EXPECT_EQ(link.send(128), 1024 + trailer_bytes);
  EXPECT_EQ(link.send(1), 8 + trailer_bytes);
}

TEST(compression, sends_what_the_codec_makes) {
  link_of_one_hop link(standard_codec(), 1024, 0, 8);
  std::memset(link.to_fill(), 1, 1024);
  EXPECT_EQ(link.send(128), 16 + trailer_bytes);
}

TEST(compression, sends_as_it_is_what_would_grow) {
  link_of_one_hop link(expanding_codec(), 1024, 0, 8);
  std::memset(link.to_fill(), 1, 1024);
  EXPECT_EQ(link.send(128), 1024 + trailer_bytes);
}

TEST(compression, gives_a_codec_all_it_asks_for) {
  link_of_one_hop link(roomy_codec(), 1024, 1, 8);
  const auto fill = [&](std::size_t n, std::initializer_list<std::size_t> varying_bytes) {
    std::memset(link.to_fill(), 3, 9 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::size_t b : varying_bytes)
        link.to_fill()[9 * i + b] = static_cast<std::byte>(i);
    }
  };
  for (const std::size_t n : {std::size_t{100}, link.max_items()}) {
    // The buffer has the offset, the first packet, the number of differing bytes, and the bytes.
    fill(n, {});
    EXPECT_EQ(link.send(n), 24 + 9 + 2 + trailer_bytes);
    fill(n, {0});
    EXPECT_EQ(link.send(n), 24 + 9 + 2 + n + trailer_bytes);
    // The codec has modified the packets in vain.
    fill(n, {0, 8});
    EXPECT_EQ(link.send(n), 9 * n + trailer_bytes);
  }
}

TEST(compression, does_not_ask_where_nothing_can_be_saved) {
  // Offset and overrun leave no room in so small a buffer.
  link_of_one_hop link(roomy_codec(), 16, 0, 8);
  std::memset(link.to_fill(), 3, 16);
  EXPECT_EQ(link.send(2), 16 + trailer_bytes);
}

TEST(compression, has_room_for_the_trailer_behind_an_item_as_large_as_the_buffer) {
  for (std::size_t item_bytes = 1; item_bytes < 200; ++item_bytes) {
    for (const std::size_t tag_bytes : std::initializer_list<std::size_t>{0, 1, 2, 4}) {
      for (const auto& c : {expanding_codec(), roomy_codec()}) {
        link_of_one_hop link(c, item_bytes, tag_bytes, item_bytes);
        ASSERT_EQ(link.max_items(), 1U);
        std::iota(reinterpret_cast<unsigned char*>(link.to_fill()),
                  reinterpret_cast<unsigned char*>(link.to_fill()) + tag_bytes + item_bytes,
                  static_cast<unsigned char>(1));
        EXPECT_EQ(link.send(1), tag_bytes + item_bytes + trailer_bytes);
      }
    }
  }
}

TEST(compression, keeps_what_a_codec_remembers_of_a_link) {
  ASSERT_EQ(remembered_links(), 0);
  {
    link_of_one_hop link(remembering_codec(), 1024, 0, 8);
    EXPECT_EQ(remembered_links(), 2);
    const auto send_filled_with = [&](int content) {
      std::memset(link.to_fill(), content, 1024);
      return link.send(128);
    };
    EXPECT_EQ(send_filled_with(9), 8 + 8 + 2 + trailer_bytes);  // with one packet to store
    EXPECT_EQ(send_filled_with(9), 8 + 2 + trailer_bytes);
    EXPECT_EQ(send_filled_with(9), 1024 + trailer_bytes);  // the third is left alone
    EXPECT_EQ(send_filled_with(9), 8 + 2 + trailer_bytes);
    EXPECT_EQ(send_filled_with(1), 1024 + trailer_bytes);  // unlike the stored packet
  }
  EXPECT_EQ(remembered_links(), 0);
}

TEST(compression, is_none_if_the_codec_refuses) {
  EXPECT_EQ(compression::planned_by(refusing_codec(), {0, 8, 8, 100}, {1, 1, 1024}), nullptr);
}

std::string refusal_of(const codec_layout& layout) {
  return thrown_by<argument_error>([&] {
    compression::planned_by(idle_codec(layout), {1, 8, 9, 100}, {1, 1, 1024});
  });
}

TEST(compression, refuses_plans_that_cannot_be) {
  expect_mentions(refusal_of({.align = 0, .stride = 9}), {"\"idle\"", "9 bytes", "align is 0"});
  expect_mentions(refusal_of({.align = 12, .stride = 9}), {"align is 12", "power of two"});
  expect_mentions(refusal_of({.align = 128, .stride = 9}), {"align is 128", "64"});
  expect_mentions(refusal_of({.stride = 8}), {"stride is 8", "9 bytes"});
  expect_mentions(refusal_of({.stride = 0}), {"stride is 0"});
  expect_mentions(refusal_of({.stride = 9, .slack = ~std::size_t{0}}), {"slack of", "memory"});
  // The slack alone takes the maximum, without the packets in front of it.
  expect_mentions(refusal_of({.stride = 9, .slack = (std::size_t{1} << 32) / 9}), {"memory"});
  expect_mentions(refusal_of({.stride = ~std::size_t{0}}), {"memory"});
  expect_mentions(refusal_of({.stride = 9, .overrun = ~std::size_t{0}}), {"overrun of", "memory"});
}

}  // namespace
}  // namespace boxcar::test::compression_test
