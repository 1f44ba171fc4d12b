// Requests travel in a short form if their numbers are small, and otherwise as a whole.
#include "one_sided/request.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

#include "substrate/cluster/wire_message.hpp"

namespace boxcar::detail::request_test {
namespace {

constexpr std::uint64_t max_in_two_bytes = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint64_t max_in_four_bytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

void expect_to_arrive(const written_request& written, const request& sent, bool in_short) {
  EXPECT_EQ(written.bytes().size() < sizeof(request), in_short);
  EXPECT_LE(written.bytes().size(), written_request::most_bytes());
  std::vector<std::byte> message(written.bytes().begin(), written.bytes().end());
  message.push_back(std::byte{7});
  std::span<const std::byte> data(message);
  request r;
  ASSERT_TRUE(written_request::take(data, r));
  ASSERT_EQ(data.size(), 1U);
  EXPECT_EQ(data[0], std::byte{7});
  EXPECT_EQ(r.object, sent.object);
  EXPECT_EQ(r.operation, sent.operation);
  EXPECT_EQ(r.place, sent.place);
  EXPECT_EQ(r.at, sent.at);
  EXPECT_EQ(r.elements, sent.elements);
  EXPECT_EQ(r.stride, sent.stride);
  EXPECT_EQ(r.counter, sent.counter);
}

// A request arrives with the first place, with the last place, and with no place.
void expect_to_arrive(request sent, bool in_short) {
  expect_to_arrive(written_request(sent), sent, in_short);
  for (const int place : {0, reply_places - 1}) {
    written_request written(sent);
    written.set_place(place);
    sent.place = place;
    expect_to_arrive(written, sent, in_short);
    expect_to_arrive(written_request(sent), sent, in_short);
  }
}

TEST(a_request, is_short_if_its_numbers_are_small) {
  expect_to_arrive({}, true);
  expect_to_arrive({.object = 3, .at = 8, .counter = 4}, true);
  expect_to_arrive({.object = max_in_four_bytes,
                    .operation = max_in_two_bytes,
                    .at = max_in_four_bytes,
                    .elements = max_in_two_bytes,
                    .stride = max_in_two_bytes,
                    .counter = max_in_four_bytes},
                   true);
}

TEST(a_request, is_whole_if_one_is_large) {
  expect_to_arrive({.object = max_in_four_bytes + 1}, false);
  expect_to_arrive({.object = 3, .operation = max_in_two_bytes + 1}, false);
  expect_to_arrive({.object = 3, .at = max_in_four_bytes + 1}, false);
  expect_to_arrive({.object = 3, .elements = max_in_two_bytes + 1}, false);
  expect_to_arrive({.object = 3, .stride = max_in_two_bytes + 1}, false);
  expect_to_arrive({.object = 3, .counter = max_in_four_bytes + 1}, false);
  expect_to_arrive({.object = most,
                    .operation = max_in_four_bytes,
                    .at = most,
                    .elements = most,
                    .stride = most,
                    .counter = most},
                   false);
}

// No more bytes of a message are read than there are.
TEST(a_request, is_not_taken_from_what_is_none) {
  const auto is_taken = [](std::span<const std::byte> message) {
    request r;
    return written_request::take(message, r);
  };
  const written_request brief(request{.object = 3});
  const written_request whole(request{.object = most});
  for (const written_request& written : {brief, whole}) {
    const std::vector<std::byte> bytes(written.bytes().begin(), written.bytes().end());
    EXPECT_TRUE(is_taken(bytes));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      EXPECT_FALSE(is_taken(
          std::vector<std::byte>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n))));
    }
  }
}

TEST(a_wire_message, is_valid_if_its_header_is_true) {
  constexpr int pes = 3;
  wire_message l;
  const std::vector<std::byte> text(40);
  const std::size_t bytes = write(l, {.from = 2, .place = no_reply}, text, {}).size();
  EXPECT_TRUE(is_valid(l, bytes, pes));
  EXPECT_FALSE(is_valid(l, bytes - 1, pes));
  EXPECT_FALSE(is_valid(l, bytes + 1, pes));
  EXPECT_FALSE(is_valid(l, 0, pes));
  EXPECT_FALSE(is_valid(l, sizeof l + 1, pes));
  const auto with = [&](std::int32_t from, std::int16_t place) {
    l.by.from = from;
    l.by.place = place;
    return is_valid(l, bytes, pes);
  };
  EXPECT_TRUE(with(0, reply_places - 1));
  EXPECT_FALSE(with(pes, no_reply));
  EXPECT_FALSE(with(-1, no_reply));
  EXPECT_FALSE(with(0, reply_places));
  EXPECT_FALSE(with(0, no_reply - 1));
}

// A request fills a cache line, together with the 22 bytes that an Open MPI puts ahead of a
// message.
TEST(a_request, to_put_eight_bytes_is_short_enough_for_a_line) {
  const written_request put(request{.object = 3, .at = 8, .counter = 4});
  EXPECT_LE(put.bytes().size() + sizeof(message_header) + sizeof(std::uint64_t), 64U - 22U);
}

}  // namespace
}  // namespace boxcar::detail::request_test
