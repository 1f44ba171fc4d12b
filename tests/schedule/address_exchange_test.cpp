// Tests of the address exchange between PEs with common messages: each PE gets its data, of any
// size, and nothing from PEs without data for it.
#include "schedule/address_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <vector>

#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::address_exchange_test {
namespace {

using detail::address_message;

// The number of places that two PEs exchange: none, a single place, or more than fit in a message.
std::size_t places_between(int a, int b) {
  constexpr std::size_t amounts[] = {3, 0, 1, 700};
  return amounts[static_cast<std::size_t>(a + b) % std::size(amounts)];
}

// The address has a realistic length, which differs between PEs.
std::vector<std::byte> address_of(int pe) {
  return std::vector<std::byte>(static_cast<std::size_t>(pe % 3) * 20,
                                static_cast<std::byte>(pe + 1));
}

address_message told(int from, int to) {
  address_message one{address_of(from), {}};
  for (std::size_t i = 0; i < places_between(from, to); ++i) {
    one.places.push_back({.at = {static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)},
                          .number = static_cast<std::int32_t>(i),
                          .is_sent = static_cast<std::int32_t>(i % 2)});
  }
  return one;
}

class address_exchange : public testing::TestWithParam<world_shape> {};

TEST_P(address_exchange, reach_whom_they_are_for) {
  run_on(GetParam(), [](world& w) {
    for (int round = 0; round < 2; ++round) {
      std::map<int, address_message> to;
      for (int pe = 0; pe < w.size(); ++pe) {
        if (places_between(w.rank(), pe) != 0) to[pe] = told(w.rank(), pe);
      }
      const auto from = detail::exchange_addresses(w, to);
      ASSERT_EQ(from.size(), to.size());
      for (const auto& [pe, one] : from) {
        ASSERT_TRUE(to.contains(pe));
        const address_message due = told(pe, w.rank());
        EXPECT_EQ(one.address, due.address) << "of PE " << pe;
        ASSERT_EQ(one.places.size(), due.places.size()) << "of PE " << pe;
        for (std::size_t i = 0; i < due.places.size(); ++i) {
          EXPECT_EQ(one.places[i].at.address, due.places[i].at.address);
          EXPECT_EQ(one.places[i].at.key, due.places[i].at.key);
          EXPECT_EQ(one.places[i].number, due.places[i].number);
          EXPECT_EQ(one.places[i].is_sent, due.places[i].is_sent);
        }
      }
    }
    // No PE has any data to exchange.
    EXPECT_TRUE(detail::exchange_addresses(w, {}).empty());
  });
}

INSTANTIATE_TEST_SUITE_P(schedule, address_exchange, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::address_exchange_test
