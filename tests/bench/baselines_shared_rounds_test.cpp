// Tests of the baseline of PEs with shared memory: the baseline does its job on threads and on
// processes, and a failed system call on a PE leaves no other PE waiting.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "baseline.hpp"
#include "benchmark.hpp"
#include "shared_blocks.hpp"
#include "shared_rounds.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::baselines_shared_rounds_test {
namespace {

using namespace bench;

// A PE of rank r has 100 r items, so that PE 0 has none. The destinations go round.
template <typename Form>
class uneven : public Form {
 public:
  explicit uneven(const world& w)
      : rank_(static_cast<std::uint64_t>(w.rank())), pes_(static_cast<std::uint64_t>(w.size())) {}

  [[nodiscard]] std::uint64_t items() const override { return items_of(rank_); }
  [[nodiscard]] int destination(std::uint64_t i) const {
    return static_cast<int>((rank_ + i) % pes_);
  }
  void clear() override { sum_ = 0; }
  void check(world& w, std::uint64_t sessions) const override {
    std::uint64_t right = 0;
    for (std::uint64_t pe = 0; pe < pes_; ++pe) {
      for (std::uint64_t i = 0; i < items_of(pe); ++i) right += number_of(pe, i);
    }
    require(w.reduce(sum_) == sessions * right, "the sum is wrong");
  }
  void check_alone(std::uint64_t) const override {}

 protected:
  static std::uint64_t items_of(std::uint64_t pe) { return 100 * pe; }
  [[nodiscard]] static std::uint64_t number_of(std::uint64_t pe, std::uint64_t i) {
    return 1 + pe * 1000 + i;
  }

  std::uint64_t rank_;
  std::uint64_t pes_;
  std::uint64_t sum_ = 0;
};

class uneven_items final : public uneven<one_way<uneven_items, std::uint64_t>> {
 public:
  using uneven::uneven;
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return number_of(rank_, i); }
  void apply(std::uint64_t item) { sum_ += item; }
};

class uneven_queries final : public uneven<two_way<uneven_queries, std::uint64_t, std::uint32_t>> {
 public:
  using uneven::uneven;
  [[nodiscard]] std::uint64_t query(std::uint64_t i) const { return number_of(rank_, i); }
  [[nodiscard]] std::uint32_t answer(std::uint64_t query) const {
    return static_cast<std::uint32_t>(query + 7);
  }
  void receive(std::uint64_t i, std::uint32_t reply) {
    EXPECT_EQ(reply, query(i) + 7);
    sum_ += query(i);
  }
};

// Collective. Runs two sessions, if the job can tell them from one.
void expect_right(world& w, job& work, std::uint64_t items_of_a_round, const std::string& what) {
  baselines all;
  make_shared_rounds(w, work, items_of_a_round, all);
  ASSERT_EQ(all.size(), 1U) << what;
  const std::uint64_t sessions = work.can_repeat() ? 2 : 1;
  for (int time = 0; time < 2; ++time) {
    work.clear();
    all[0]->prepare();
    w.barrier();
    for (std::uint64_t s = 0; s < sessions; ++s) all[0]->run();
    all[0]->finish();
    EXPECT_NO_THROW(work.check(w, sessions)) << what << ", rounds of " << items_of_a_round;
  }
  w.barrier();  // other PEs may still read the items of this PE
}

class shared_rounds : public testing::TestWithParam<world_shape> {};

TEST_P(shared_rounds, do_every_benchmark) {
  run_on(GetParam(), [](world& w) {
    for (const description& what : benchmarks()) {
      const setting s = completed(what, {.pes = w.size(), .items = 500});
      for (const std::uint64_t items_of_a_round : {100U, 1000U}) {
        const auto b = what.make(w, s);
        const bool has_rounds =
            b->job().as_one_way() != nullptr || b->job().as_two_way() != nullptr;
        if (!has_rounds) continue;
        expect_right(w, b->job(), items_of_a_round, std::string(what.name));
      }
    }
  });
}

TEST_P(shared_rounds, allow_for_pes_with_fewer_items) {
  run_on(GetParam(), [](world& w) {
    for (const std::uint64_t items_of_a_round : {1U, 64U, 1000U}) {
      uneven_items items(w);
      expect_right(w, items, items_of_a_round, "items");
      uneven_queries queries(w);
      expect_right(w, queries, items_of_a_round, "queries");
    }
  });
}

TEST_P(shared_rounds, see_the_memory_of_all) {
  run_on(GetParam(), [](world& w) {
    ASSERT_TRUE(can_share_blocks(w));
    constexpr std::size_t page = 4096;
    // Each of another size.
    const auto bytes_of = [](int pe) { return page * static_cast<std::size_t>(pe + 1); };
    const shared_blocks blocks(w, bytes_of(w.rank()));
    const auto last_of = [&](int pe) -> std::byte& { return blocks.of(pe)[bytes_of(pe) - 1]; };
    EXPECT_EQ(last_of(w.rank()), std::byte{0});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.of(0)) % page, 0U);
    last_of(w.rank()) = static_cast<std::byte>(w.rank() + 1);
    w.barrier();
    for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(last_of(pe), static_cast<std::byte>(pe + 1));
  });
}

TEST_P(shared_rounds, let_nobody_wait_for_a_pe_without_memory) {
  run_on(GetParam(), [](world& w) {
    constexpr std::size_t too_much = std::size_t{1} << 63;  // for a file, too
    const bool fails = w.rank() == w.size() - 1;
    if (fails) {
      EXPECT_THROW(shared_blocks(w, too_much), system_error);
    } else {
      EXPECT_TRUE(shared_blocks(w, 4096).empty());
    }
    EXPECT_FALSE(shared_blocks(w, 4096).empty());
    w.barrier();
  });
}

using enum substrate_kind;
INSTANTIATE_TEST_SUITE_P(bench, shared_rounds,
                         testing::ValuesIn(std::vector<world_shape>{{threads, 1, 1},
                                                                    {threads, 2, 1},
                                                                    {threads, 5, 2},
                                                                    {processes, 1, 1},
                                                                    {processes, 2, 1},
                                                                    {processes, 5, 2}}),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::baselines_shared_rounds_test
