// Tests of puts and gets between the endpoints of several PEs in one process: they take effect in
// order, are counted when the data are there, and end with an error if they cannot arrive.
#include "substrate/ofi/transfers.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <boxcar/error.hpp>

#include "ofi/several_pes.hpp"
#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/counted_puts.hpp"
#include "support/dice.hpp"

namespace boxcar::detail::ofi::transfers_test {
namespace {

using test::dice;

// Memory of each of several PEs, into which the other PEs put.
class ofi_transfers : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static constexpr std::size_t bytes = 200'000;  // several pieces
  struct part {
    std::vector<std::byte> memory = std::vector<std::byte>(bytes);
    registered shown;
    std::shared_ptr<answers> hears;
    std::shared_ptr<counted_puts> counted;
    std::unique_ptr<transfers> by;
  };

  void SetUp() override {
    for (int pe = 0; pe < 3; ++pe) {
      part& p = parts_.emplace_back();
      endpoint& at = pes_.at(pe);
      ASSERT_TRUE(at.reaches_memory());
      p.shown = registered(at, p.memory.data(), bytes, registered::use::by_others);
      p.hears = std::make_shared<answers>(at);
      // (The endpoint outlives the counted puts.)
      p.counted = std::make_shared<counted_puts>(
          std::shared_ptr<endpoint>(std::shared_ptr<void>(), &at), p.hears);
      p.by = std::make_unique<transfers>(at, *p.counted, [this] { pes_.poll_all(); });
    }
  }
  [[nodiscard]] part& at(int pe) { return parts_[static_cast<std::size_t>(pe)]; }
  [[nodiscard]] remote_memory place(int pe) { return at(pe).shown.place(); }

  several_pes pes_{3, std::get<0>(GetParam()), std::get<1>(GetParam())};
  std::deque<part> parts_;
};

std::vector<std::byte> dice_bytes(dice& d, std::size_t n) {
  std::vector<std::byte> made(n);
  for (std::byte& b : made) b = static_cast<std::byte>(d.below(256));
  return made;
}

// Puts and gets of one PE have the effect of sequential operations, whatever is in flight.
TEST_P(ofi_transfers, keep_the_order_of_one_pe) {
  std::vector<std::byte> expected(bytes);
  dice d(7);
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(d.below(static_cast<int>(n)));
  };
  for (int step = 0; step < 400; ++step) {
    // Most blocks are small and near one another.
    const std::size_t longest = std::array<std::size_t, 4>{8, 200, 3000, bytes}[below(4)];
    const std::size_t n = 1 + below(longest);
    const std::size_t i = below(std::min(bytes - n + 1, 2 * longest));
    if (below(3) == 0) {
      std::vector<std::byte> found(n);
      at(0).by->get(1, place(1), i, found);
      at(0).by->finish_gets();
      ASSERT_TRUE(std::ranges::equal(found, std::span(expected).subspan(i, n))) << "step " << step;
    } else {
      const std::vector<std::byte> data = dice_bytes(d, n);
      at(0).by->put(1, place(1), i, data);
      std::ranges::copy(data, expected.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  at(0).by->complete();
  EXPECT_EQ(at(1).memory, expected);
}

// A get may complete later, and a following put does not change its result.
TEST_P(ofi_transfers, are_got_before_what_is_put_later) {
  constexpr std::size_t words = 500;  // more than are in flight at a time
  std::vector<std::byte> found(words * 8);
  for (std::size_t i = 0; i < words; ++i) {
    at(1).memory[i * 8] = static_cast<std::byte>(i % 251);
    at(0).by->get(1, place(1), i * 8, std::span(found).subspan(i * 8, 8));
    at(0).by->put(1, place(1), i * 8, std::vector<std::byte>(8, std::byte{255}));
  }
  at(0).by->complete();
  for (std::size_t i = 0; i < words; ++i) {
    ASSERT_EQ(found[i * 8], static_cast<std::byte>(i % 251)) << "word " << i;
    ASSERT_EQ(at(1).memory[i * 8], std::byte{255}) << "word " << i;
  }
}

TEST_P(ofi_transfers, go_between_all_pes) {
  for (int from = 0; from < 3; ++from) {
    for (int to = 0; to < 3; ++to) {
      if (from == to) continue;
      const auto mark = static_cast<std::byte>(10 * from + to + 1);
      at(from).by->put(to, place(to), static_cast<std::size_t>(from) * 60'000,
                       std::vector<std::byte>(60'000, mark));
    }
  }
  for (int from = 0; from < 3; ++from) at(from).by->complete();
  for (int to = 0; to < 3; ++to) {
    for (int from = 0; from < 3; ++from) {
      if (from == to) continue;
      const auto its = std::span(at(to).memory).subspan(static_cast<std::size_t>(from) * 60'000);
      EXPECT_TRUE(std::ranges::all_of(
          its.first(60'000),
          [&](std::byte b) { return b == static_cast<std::byte>(10 * from + to + 1); }))
          << "from PE " << from << " to PE " << to;
    }
  }
}

// More puts than may be in flight at a time, small and large ones.
TEST_P(ofi_transfers, are_counted_when_they_are_there) {
  constexpr std::array<std::size_t, 3> sizes{8, 300, 9000};
  constexpr std::size_t blocks = 41;
  std::vector<std::span<const std::byte>> there;
  std::size_t end = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t n = i + 1 == blocks ? 40'000 : sizes[i % sizes.size()];  // two pieces
    there.push_back(std::span(at(1).memory).subspan(end, n));
    end += n;
  }
  std::size_t heard = 0;
  std::size_t heard_bytes = 0;
  const rank_list everybody = rank_list(3);
  const auto counter = counted_puts::make_counter(
      at(1).counted, everybody, pes_.at(1).word_bits() == 64, [&](std::size_t n) {
        heard_bytes += n;
        const auto complete = std::ranges::count_if(there, [&](const auto& block) {
          return std::ranges::all_of(block, [](std::byte b) { return b == std::byte{7}; });
        });
        EXPECT_GE(static_cast<std::size_t>(complete), ++heard);
      });
  ASSERT_NE(counter, nullptr);
  const std::uint64_t number = counter->number_for(0);
  ASSERT_NE(number, 0U);
  EXPECT_EQ(counter->number_for(0), number);
  EXPECT_NE(counter->number_for(2), number);
  for (const auto& block : there) {
    at(0).by->put_counted(1, place(1), static_cast<std::size_t>(block.data() - at(1).memory.data()),
                          std::vector<std::byte>(block.size(), std::byte{7}), number);
  }
  at(0).by->complete();
  EXPECT_TRUE(pes_.poll_until([&] { return heard == blocks; })) << heard;
  EXPECT_EQ(heard_bytes, pes_.at(1).word_bits() == 64 ? end : 0U);
}

// A PE without a notification slot counts its puts by other means; no PE has more puts in flight
// than slots.
TEST_P(ofi_transfers, are_counted_by_as_many_as_there_is_room_for) {
  counted_puts& to = *at(1).counted;
  EXPECT_TRUE(to.has_room(0));
  for (std::uint32_t i = 0; i < counted_puts::granted; ++i) to.begun(0);
  EXPECT_FALSE(to.has_room(0));
  // (PEs that do not exist get no messages.)
  const auto counter =
      counted_puts::make_counter(at(1).counted, rank_list(100), false, [](std::size_t) {});
  std::size_t places = 0;
  int refused = 0;
  for (int pe = 0; pe < 100; ++pe) {
    if (counter->number_for(pe) == 0) {
      ++refused;
    } else {
      places += counted_puts::granted;
    }
  }
  EXPECT_LE(places, pes_.at(1).max_words());
  EXPECT_GT(places, 0U);
  EXPECT_GT(refused, 0);
  EXPECT_NE(counter->number_for(0), 0U);
}

// Keys are drawn anew for each memory region: counting does not find a key.
TEST_P(ofi_transfers, have_keys_that_nobody_guesses) {
  if ((pes_.at(0).info().domain_attr->mr_mode & FI_MR_PROV_KEY) != 0) {
    GTEST_SKIP() << "the provider draws the keys";
  }
  std::vector<std::uint64_t> keys;
  for (int pe = 0; pe < 3; ++pe) keys.push_back(place(pe).key);
  std::vector<std::byte> memory(100);
  for (int i = 0; i < 20; ++i) {
    keys.push_back(
        registered(pes_.at(0), memory.data(), 100, registered::use::by_others).place().key);
  }
  std::ranges::sort(keys);
  EXPECT_GT(keys.front(), 1'000'000U);
  for (std::size_t i = 1; i < keys.size(); ++i) EXPECT_GT(keys[i] - keys[i - 1], 1000U);
}

// The immediate data of a put must be a number that some PE was given.
TEST_P(ofi_transfers, that_bring_a_number_of_nobody_are_an_error) {
  const unsigned bits = pes_.at(1).word_bits();
  if (bits == 0) GTEST_SKIP() << "puts bring no numbers";
  counted_puts& to = *at(1).counted;
  ASSERT_FALSE(to.has_failed());
  at(0).by->put_counted(1, place(1), 0, std::vector<std::byte>(8), 0x123400);
  at(0).by->complete();
  EXPECT_TRUE(pes_.poll_until([&] { return to.has_failed(); }));
  try {
    to.require_success();
    FAIL() << "nobody is told";
  } catch (const system_error& e) {
    EXPECT_NE(std::string(e.what()).find("it is not of this job"), std::string::npos) << e.what();
  }
}

TEST_P(ofi_transfers, into_memory_that_is_not_there_fail_with_a_reason) {
  remote_memory wrong = place(1);
  wrong.key += 1000;
  const auto attempt = [&] {
    at(0).by->put(1, wrong, 0, std::vector<std::byte>(8));
    at(0).by->complete();
  };
  try {
    attempt();
    FAIL() << "nobody has noticed";
  } catch (const system_error& e) {
    EXPECT_NE(std::string(e.what()).find("putting into memory of PE 1 by "), std::string::npos)
        << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(with, ofi_transfers,
                         testing::Combine(testing::Values("", "tcp;ofi_rxm"),
                                          testing::Values("nothing", "allocated", "cxi")),
                         [](const auto& with) {
                           return std::string(name_in_test(std::get<0>(with.param))) +
                                  "_that_pretends_" + std::get<1>(with.param);
                         });

}  // namespace
}  // namespace boxcar::detail::ofi::transfers_test
