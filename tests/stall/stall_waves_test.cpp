// Tests of the waves that detect stuck PEs of several nodes, on a tree whose messages the test
// carries.
#include "substrate/cluster/stall_waves.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/thrown.hpp"

namespace boxcar::detail::stall_waves_test {
namespace {

using namespace std::chrono_literals;

class job {
 public:
  explicit job(int pes) : pes_(static_cast<std::size_t>(pes)) {
    for (int pe = 0; pe < pes; ++pe) {
      at(pe).report.rank = pe;
      at(pe).report.on = needs::all;
      at(pe).report.world = 1;
      at(pe).report.number = 1;
      at(pe).report.worlds = 1;
      at(pe).report.member_of[0] = {1, pes, 0};
      std::string("barrier").copy(at(pe).report.called.data(), 7);
      at(pe).waves =
          std::make_unique<stall_waves>(pe, pes, pes, [this, pe](int to, stall_waves::message m) {
            ++messages;
            longest = std::max(longest, m.size());
            at(to).mail.push_back({pe, std::move(m)});
          });
    }
  }

  struct member {
    std::unique_ptr<stall_waves> waves;
    pe_report report;
    bool computes = false;
    bool moves = false;  // gets on all the time
    std::deque<std::pair<int, stall_waves::message>> mail;
  };
  member& at(int rank) { return pes_[static_cast<std::size_t>(rank)]; }

  // Runs until a result, or until the time is over.
  std::optional<std::string> run(std::chrono::milliseconds time) {
    for (const auto end = now_ + time; now_ < end; now_ += 1ms) {
      ++rounds_;
      for (member& p : pes_) {
        if (p.computes) continue;
        for (; !p.mail.empty(); p.mail.pop_front()) {
          p.waves->hear(p.mail.front().first, p.mail.front().second, now_);
        }
        if (p.moves) ++p.report.moves;
        const auto found = p.waves->look(now_, {.overdue = p.moves ? nullptr : &p.report,
                                                .rounds = rounds_,
                                                .moves = p.report.moves,
                                                .allowed = allowed});
        if (found) return found;
      }
    }
    return std::nullopt;
  }

  static constexpr std::chrono::nanoseconds allowed = 1s;
  std::size_t messages = 0;
  std::size_t longest = 0;

 private:
  std::vector<member> pes_;
  stall_waves::clock::time_point now_{1h};
  std::uint64_t rounds_ = 0;
};

TEST(stall_waves, find_out_that_all_wait) {
  for (const int pes : {1, 2, 3, 7, 100}) {
    job all(pes);
    if (pes > 1) all.at(pes - 1).report.number = 2;
    const auto found = all.run(5s);
    ASSERT_TRUE(found.has_value()) << pes;
    test::expect_mentions(*found, {"no PE can go on", "in barrier"});
  }
}

TEST(stall_waves, tell_alike_pes_as_one) {
  job all(4000);
  all.at(1234).report.number = 2;
  all.at(1234).report.called = {"reduce"};
  const auto found = all.run(5s);
  ASSERT_TRUE(found.has_value());
  test::expect_mentions(*found, {"PEs 0 to 1233, 1235 to 3999", "PE 1234: in reduce"});
  EXPECT_LE(all.longest, 3 * sizeof(pe_group));
}

TEST(stall_waves, wait_for_who_computes) {
  job one_computes(8);
  one_computes.at(5).computes = true;
  EXPECT_FALSE(one_computes.run(10s).has_value());
}

TEST(stall_waves, wait_for_who_gets_on) {
  job one_moves(8);
  one_moves.at(6).moves = true;
  EXPECT_FALSE(one_moves.run(10s).has_value());
}

TEST(stall_waves, find_two_that_wait_crosswise_though_another_computes) {
  job some(8);
  for (const int pe : {0, 1, 4}) {
    pe_report& r = some.at(pe).report;
    r.worlds = 2;
    r.member_of[1] = {2, 2, 0};
  }
  some.at(4).report.world = 2;  // where PE 1 would have to come
  some.at(4).report.called = {"reduce"};
  some.at(6).computes = true;
  const auto found = some.run(5s);
  ASSERT_TRUE(found.has_value());
  test::expect_mentions(*found, {"can never go on", "PE 4: in reduce"});
}

// A wave whose time limit is negative, or beyond what a clock has, comes from no PE in order.
TEST(stall_waves, drop_times_that_no_clock_has) {
  std::size_t told = 0;
  stall_waves waves(4, 8, 8, [&told](int, const stall_waves::message&) { ++told; });
  const auto hear = [&waves](std::int64_t patience) {
    const std::array<std::int64_t, 3> head{7, patience, 0};
    waves.hear(0, std::as_bytes(std::span(head)), stall_waves::clock::time_point(1h));
  };
  hear(std::numeric_limits<std::int64_t>::max());
  hear(std::numeric_limits<std::int64_t>::min());
  hear(-1);
  EXPECT_EQ(told, 0u);
  hear(std::chrono::nanoseconds(1s).count());
  EXPECT_NE(told, 0u);
}

TEST(stall_waves, do_not_run_while_pe_0_gets_on) {
  job busy(8);
  busy.at(0).moves = true;
  EXPECT_FALSE(busy.run(3s).has_value());
  EXPECT_EQ(busy.messages, 0u);
}

}  // namespace
}  // namespace boxcar::detail::stall_waves_test
