// Deferred work executed by a provider, for several PEs in one process, without calls meanwhile:
// the work waits, fires, goes on from PE to PE, is repeated, and given up; failures are reported.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <rdma/fi_trigger.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/error.hpp>

#include "substrate/ofi/deferred_items.hpp"
#include "substrate/ofi/deferring_endpoint.hpp"
#include "substrate/ofi/provider.hpp"
#include "support/dice.hpp"
#include "support/thrown.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::detail::ofi::deferred_work_test {
namespace {

using number = std::uint64_t;
using due = deferred_work::due;
using counter = deferred_work::counter;
using std::chrono::milliseconds;

constexpr const char* able_provider = "sockets";

template <typename T>
std::span<std::byte> whole(std::vector<T>& all) {
  return std::as_writable_bytes(std::span(all));
}

// Waits for a value without calls of the library: the function only reads memory written by another
// thread.
bool arrives(const number& there, number value) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const std::atomic_ref<const number> is(there);
  while (is.load(std::memory_order_acquire) != value) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

bool reaches(const deferred_work& work, counter c, number value) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (work.value(c) < value) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return work.value(c) == value;
}

// Waits for a counter while the PE executes the work left to the PE.
bool reaches_by_working(deferred_work& work, counter c, number value) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (work.value(c) < value && std::chrono::steady_clock::now() < until) {
    work.require_success();
    work.work();
  }
  return work.value(c) == value;
}

void combine_by_hand(number_type type, arithmetic how, std::byte* into, const std::byte* from,
                     std::size_t bytes) {
  combine({type, how}, into, from, nullptr, bytes);
}

class deferred : public testing::Test {
 protected:
  static constexpr int pes = 3;
  deferred() {
    const info_list like = choose_provider(able_provider, false);
    for (int pe = 0; pe < pes; ++pe) {
      ends_.push_back(std::make_shared<deferring_endpoint>(*like));
      all_.push_back(make_deferred_items(ends_.back()));
    }
    for (auto& one : all_) {
      for (int pe = 0; pe < pes; ++pe) one->connect(pe, at(pe).address());
    }
  }
  deferred_work& at(int pe) { return *all_[static_cast<std::size_t>(pe)]; }
  std::shared_ptr<deferring_endpoint>& end(int pe) { return ends_[static_cast<std::size_t>(pe)]; }
  void drop(int pe) { all_[static_cast<std::size_t>(pe)].reset(); }

 private:
  std::vector<std::shared_ptr<deferring_endpoint>> ends_;
  std::vector<std::unique_ptr<deferred_work>> all_;
};

TEST_F(deferred, waits_until_its_counter_has_come_far_enough) {
  std::vector<number> from{42};
  std::vector<number> into{0};
  const counter arrived = at(1).make_counter();
  const auto place = at(1).let_in(whole(into), arrived);
  const counter begin = at(0).make_counter();
  const counter done = at(0).make_counter();
  at(0).put({begin, 3}, std::as_bytes(std::span(from)), 1, place, done);
  for (number run = 1; run <= 4; ++run) {
    from[0] = 42 * run;
    at(0).queue(run);
    at(0).increment(begin);
    at(0).increment(begin);
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(at(1).value(arrived), run - 1);
    EXPECT_EQ(at(0).value(done), run - 1);
    at(0).increment(begin);
    EXPECT_TRUE(reaches(at(1), arrived, run));
    EXPECT_TRUE(reaches(at(0), done, run));
    EXPECT_EQ(into[0], 42 * run);
  }
  at(0).require_success();
}

TEST_F(deferred, fires_at_once_what_is_due_already) {
  const counter begin = at(0).make_counter();
  const counter sum = at(0).make_counter();
  at(0).increment(begin);
  at(0).increment(begin);
  at(0).increment(due{begin, 1}, sum);
  at(0).queue(1);
  EXPECT_TRUE(reaches(at(0), sum, 1));
  at(0).queue(2);
  EXPECT_TRUE(reaches(at(0), sum, 2));
  at(0).queue(3);
  std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(at(0).value(sum), 2U);
  at(0).increment(begin);
  EXPECT_TRUE(reaches(at(0), sum, 3));
}

// Puts go from PE to PE and back, without calls of the library.
TEST_F(deferred, goes_on_from_pe_to_pe) {
  std::vector<std::vector<number>> memory(pes, std::vector<number>(1));
  std::vector<counter> arrived;
  std::vector<deferred_work::place> places;
  for (int pe = 0; pe < pes; ++pe) {
    arrived.push_back(at(pe).make_counter());
    places.push_back(at(pe).let_in(whole(memory[static_cast<std::size_t>(pe)]), arrived.back()));
  }
  const counter begin = at(0).make_counter();
  std::vector<counter> done;
  std::vector<number> first{0};
  for (int pe = 0; pe < pes; ++pe) {
    done.push_back(at(pe).make_counter());
    const auto mine = static_cast<std::size_t>(pe);
    const auto next = static_cast<std::size_t>((pe + 1) % pes);
    at(pe).put({pe == 0 ? begin : arrived[mine], 1},
               std::as_bytes(std::span(pe == 0 ? first : memory[mine])), static_cast<int>(next),
               places[next], done.back());
  }
  for (number run = 1; run <= 10; ++run) {
    for (int pe = pes; pe-- > 0;) at(pe).queue(run);
    first[0] = 7 * run;
    at(0).increment(begin);
    EXPECT_TRUE(arrives(memory[0][0], 7 * run));
    for (int pe = 0; pe < pes; ++pe) {
      EXPECT_TRUE(reaches(at(pe), done[static_cast<std::size_t>(pe)], run));
      EXPECT_TRUE(reaches(at(pe), arrived[static_cast<std::size_t>(pe)], run));
    }
  }
}

// Long puts and copies arrive, also in several pieces.
TEST_F(deferred, puts_and_copies_what_is_long) {
  constexpr std::size_t bytes = 3'000'000;
  for (const std::size_t piece : {max_piece, std::size_t{1} << 20}) {
    std::vector<std::uint8_t> from(bytes);
    std::vector<std::uint8_t> into(bytes);
    std::vector<std::uint8_t> copy(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::uint8_t>(i >> 10 ^ i);
    const auto receiver = make_deferred_items(end(1));
    const counter arrived = receiver->make_counter();
    const auto place = receiver->let_in(whole(into), arrived);
    const auto sender = make_deferred_items(end(0), piece);
    sender->connect(1, receiver->address());
    const number pieces = sender->pieces(bytes);
    EXPECT_EQ(pieces, piece == max_piece ? 1U : 3U);
    const counter begin = sender->make_counter();
    const counter copied = sender->make_counter();
    const counter done = sender->make_counter();
    sender->copy({begin, 1}, std::as_bytes(std::span(from)), whole(copy), copied);
    sender->put({copied, pieces}, std::as_bytes(std::span(copy)), 1, place, done);
    sender->queue(1);
    sender->increment(begin);
    EXPECT_TRUE(reaches(*receiver, arrived, pieces));
    EXPECT_TRUE(reaches(*sender, done, pieces));
    EXPECT_EQ(into, from);
  }
}

// The provider combines numbers as adapters do.
TEST_F(deferred, combines_numbers_of_all_types) {
  constexpr std::size_t length = 700;
  test::dice d(11);
  int combined = 0;
  for (int type = 0; type <= static_cast<int>(number_type::float64); ++type) {
    for (int how = 0; how <= static_cast<int>(arithmetic::logical_xor); ++how) {
      const number_rule rule{static_cast<number_type>(type), static_cast<arithmetic>(how)};
      const std::size_t bytes = length * bytes_of(rule.type);
      if (!can_combine(rule.type, rule.how)) continue;
      const number pieces = at(0).pieces(rule.type, rule.how, bytes);
      if (pieces == 0) continue;
      ++combined;
      std::vector<number> from(length);
      std::vector<number> into(length);
      const auto fill = [&](std::vector<number>& all) {
        for (std::size_t i = 0; i < length; ++i) {
          const int n = d.below(5);
          auto* const at = reinterpret_cast<std::byte*>(all.data()) + i * bytes_of(rule.type);
          if (rule.type == number_type::float32) {
            const auto f = static_cast<float>(n) / 2;
            std::copy_n(reinterpret_cast<const std::byte*>(&f), sizeof f, at);
          } else if (rule.type == number_type::float64) {
            const auto f = static_cast<double>(n) / 2;
            std::copy_n(reinterpret_cast<const std::byte*>(&f), sizeof f, at);
          } else {
            *at = static_cast<std::byte>(n);
          }
        }
      };
      fill(from);
      fill(into);
      std::vector<number> expected = into;
      combine(rule, whole(expected).data(), whole(from).data(), nullptr, bytes);
      const auto work = make_deferred_items(end(0));
      const counter begin = work->make_counter();
      const counter done = work->make_counter();
      work->combine({begin, 1}, whole(from).first(bytes), whole(into).first(bytes), rule.type,
                    rule.how, done, combine_by_hand);
      work->queue(1);
      work->increment(begin);
      ASSERT_TRUE(reaches(*work, done, pieces)) << "type " << type << " how " << how;
      EXPECT_EQ(into, expected) << "type " << type << " how " << how;
    }
  }
  EXPECT_GE(combined, 20);
}

// The counter counts, but the cancelled put does not fire, even where the provider cannot cancel.
TEST_F(deferred, can_be_given_up) {
  std::vector<number> from{42};
  std::vector<number> into{0};
  const counter arrived = at(1).make_counter();
  const auto place = at(1).let_in(whole(into), arrived);
  const counter begin = at(0).make_counter();
  const counter done = at(0).make_counter();
  at(0).put({begin, 1}, std::as_bytes(std::span(from)), 1, place, done);
  at(0).queue(1);
  at(0).cancel();
  fi_deferred_work unknown{};
  if (end(0)->cancel(unknown) && end(0)->end() == nullptr) {
    test::expect_mentions(test::thrown_by<system_error>([&] { at(0).queue(2); }),
                          {"cannot cancel", able_provider});
  } else {
    at(0).increment(begin);
  }
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(at(1).value(arrived), 0U);
  EXPECT_EQ(into[0], 0U);
}

TEST_F(deferred, tells_of_puts_that_fail) {
  std::vector<number> from{42};
  std::vector<number> into{0};
  deferred_work::place place;
  {
    const auto gone = make_deferred_items(end(1));
    place = gone->let_in(whole(into), gone->make_counter());
  }
  const counter begin = at(0).make_counter();
  const counter done = at(0).make_counter();
  at(0).put({begin, 1}, std::as_bytes(std::span(from)), 1, place, done);
  at(0).queue(1);
  at(0).require_success();
  at(0).increment(begin);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const std::string text = test::thrown_by<system_error>([&] {
    while (std::chrono::steady_clock::now() < until) at(0).require_success();
  });
  test::expect_mentions(text, {"a put of 8 bytes to PE 1", "deferred to libfabric's provider",
                               able_provider, "has failed", "schedule_carrier::adapter"});
  EXPECT_EQ(into[0], 0U);
  // Later calls throw the same text.
  EXPECT_EQ(test::thrown_by<system_error>([&] { at(0).queue(2); }), text);
}

// Without more counters of the provider the PE counts, and executes the work waiting for the PE's
// counters.
TEST_F(deferred, is_left_to_the_pe_where_there_are_no_more_counters) {
  const std::size_t most = end(2)->info().domain_attr->cntr_cnt;
  ASSERT_NE(most, 0U);
  std::vector<number> from{42};
  std::vector<number> into(3);
  const auto part = [&into](std::size_t i) { return whole(into).subspan(i * sizeof(number), 8); };
  const counter begin = at(0).make_counter();
  const counter done = at(0).make_counter();
  const counter first = at(2).make_counter();
  for (std::size_t i = 1; i < most; ++i) static_cast<void>(at(2).make_counter());
  const counter arrived = at(2).make_counter();
  const counter copied = at(2).make_counter();
  const counter added = at(2).make_counter();
  const counter last = at(2).make_counter();
  // The data go from PE 0 to PE 2, there on by the PE's own counters, and to PE 1.
  at(0).put({begin, 1}, std::as_bytes(std::span(from)), 2, at(2).let_in(part(0), arrived), done);
  at(2).copy({arrived, 1}, part(0), part(1), copied);
  at(2).combine({copied, 1}, part(1), part(2), number_type::uint64, arithmetic::sum, added,
                combine_by_hand);
  at(2).put({added, 1}, part(2), 1, at(1).let_in(whole(from), at(1).make_counter()), first);
  at(2).increment(due{first, 1}, last);
  EXPECT_EQ(at(0).shared().by_the_network(), 1U);
  const deferred_work::share& left = at(2).shared();
  EXPECT_EQ(left.no_room, 4U);
  EXPECT_EQ(left.by_the_network(), 0U);
  test::expect_mentions(left.why_no_room, {std::to_string(most) + " counters", "all are in use",
                                           "smaller schedules"});
  number sum = 0;
  for (number run = 1; run <= 3; ++run) {
    at(2).queue(run);
    at(0).queue(run);
    from[0] = 7 * run;
    at(0).increment(begin);
    sum += 7 * run;
    ASSERT_TRUE(reaches_by_working(at(2), last, run));
    EXPECT_EQ(at(2).value(added), run);
    EXPECT_EQ(into[1], 7 * run);
    EXPECT_EQ(into[2], sum);
    EXPECT_TRUE(arrives(from[0], sum));
  }
  drop(2);
  const auto others = make_deferred_items(end(2));
  const counter one = others->make_counter();
  others->increment(due{one, 1}, one);
  EXPECT_EQ(others->shared().by_the_network(), 1U);
}

// A single increment fires all operations. (The provider has more room than promised, but not
// without end, and loses operations without room.)
TEST_F(deferred, is_left_to_the_pe_where_there_is_no_more_room_for_operations) {
  const std::size_t most = end(0)->info().tx_attr->size / 16 * 15;
  std::vector<number> from{42};
  std::vector<number> into(2);
  const counter arrived = at(1).make_counter();
  const auto place = at(1).let_in(whole(into).last(8), arrived);
  const counter begin = at(0).make_counter();
  const counter done = at(0).make_counter();
  for (std::size_t i = 0; i < most; ++i) {
    at(0).copy({begin, 1}, std::as_bytes(std::span(from)), whole(into).first(8), done);
  }
  EXPECT_EQ(at(0).shared().no_room, 0U);
  // The PE puts fewer than `more` at once.
  constexpr std::size_t more = 100;
  for (std::size_t i = 0; i < more; ++i) {
    at(0).put({begin, 1}, std::as_bytes(std::span(from)), 1, place, done);
  }
  EXPECT_EQ(at(0).shared().no_room, more);
  test::expect_mentions(at(0).shared().why_no_room,
                        {"room for " + std::to_string(most) + " operations", "all is in use"});
  for (number run = 1; run <= 3; ++run) {
    at(0).queue(run);
    at(0).increment(begin);
    ASSERT_TRUE(reaches_by_working(at(0), done, run * (most + more)));
    EXPECT_EQ(at(1).value(arrived), run * more);
    EXPECT_FALSE(at(0).has_work());
  }
  EXPECT_EQ(into[1], 42U);
  drop(0);
  const auto others = make_deferred_items(end(0));
  const counter first = others->make_counter();
  others->copy({first, 1}, std::as_bytes(std::span(from)), whole(into).first(8), first);
  EXPECT_EQ(others->shared().no_room, 0U);
}

TEST(deferring, is_not_offered_by_all) {
  const info_list tcp = choose_provider("tcp", false);
  test::expect_mentions(why_not_deferring(*tcp), {"tcp", "FI_TRIGGER"});
  test::expect_mentions(test::thrown_by<system_error>([&] { const deferring_endpoint no(*tcp); }),
                        {"tcp", "has no triggered operations"});
  EXPECT_EQ(why_not_deferring(*choose_provider(able_provider, false)), "");
}

}  // namespace
}  // namespace boxcar::detail::ofi::deferred_work_test
