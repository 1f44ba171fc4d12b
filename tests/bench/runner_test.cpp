// Tests that contenders take turns, and that a failed or wrong contender is named and left out.
#include "runner.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/run.hpp>

namespace boxcar::bench::runner_test {
namespace {

// The job is done if every PE has added 1 in each session.
class counting_job final : public job {
 public:
  std::uint64_t here = 0;
  bool repeats = true;
  std::uint64_t different = 1;

  [[nodiscard]] std::uint64_t items() const override { return 1; }
  [[nodiscard]] std::size_t item_bytes() const override { return 8; }
  void clear() override { here = 0; }
  [[nodiscard]] bool can_repeat() const override { return repeats; }
  [[nodiscard]] std::uint64_t min_sessions() const override { return different; }
  void check(world& w, std::uint64_t sessions) const override {
    const std::uint64_t everywhere = w.reduce(here);
    require(everywhere == sessions * static_cast<std::uint64_t>(w.size()), "the count is wrong");
  }
  void check_alone(std::uint64_t sessions) const override {
    require(here == sessions, "the count is wrong");
  }
};

class fake final : public contender {
 public:
  fake(std::string name, bench::role as, counting_job& work, std::function<void()> action)
      : name_(std::move(name)), role_(as), job_(work), action_(std::move(action)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bench::role role() const override { return role_; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { action_(); }

 private:
  std::string name_;
  bench::role role_;
  counting_job& job_;
  std::function<void()> action_;
};

using contenders = std::vector<std::unique_ptr<contender>>;

// The results of PE 0; the results of all other PEs must be the same.
std::vector<contender_result> results_on(
    int pes, const turns& how, const std::function<contenders(world& w, counting_job&)>& make) {
  std::vector<contender_result> results;
  run(pes, [&](world& w) {
    counting_job work;
    const contenders all = make(w, work);
    const auto mine = take_turns(w, all, how);
    ASSERT_EQ(mine.size(), all.size());
    for (const contender_result& c : mine) {
      const std::size_t rounds = c.seconds.size();
      EXPECT_EQ(w.reduce(rounds), rounds * static_cast<std::size_t>(w.size()));
    }
    if (w.rank() == 0) results = mine;
  });
  return results;
}

TEST(runner, measures_every_contender_in_every_round) {
  const turns how{.rounds = 3};
  const auto results = results_on(2, how, [](world& w, counting_job& work) {
    contenders all;
    all.push_back(std::make_unique<fake>("ours", role::boxcar, work, [&work] { ++work.here; }));
    all.push_back(std::make_unique<fake>("limit", role::limit, work, [&w, &work] {
      if (w.rank() == 0) ++work.here;
    }));
    return all;
  });
  ASSERT_EQ(results.size(), 2U);
  for (const contender_result& c : results) {
    EXPECT_EQ(c.failure, "");
    EXPECT_EQ(c.seconds.size(), 3U);
  }
  // Unless something else has had the core meanwhile.
  EXPECT_GT(std::max(results[0].sessions, results[1].sessions), 1U)
      << "one is too short to be measured";
  EXPECT_EQ(results[0].workers, 2);
  EXPECT_EQ(results[0].items, 2U);
  EXPECT_EQ(results[1].workers, 1);
  EXPECT_EQ(results[1].items, 1U);
}

TEST(runner, checks_each_session_of_a_job_that_cannot_repeat) {
  const turns how{.rounds = 3, .least_seconds = 0.001};
  const auto results = results_on(2, how, [](world& w, counting_job& work) {
    work.repeats = false;
    work.different = 4;
    contenders all;
    all.push_back(std::make_unique<fake>("ours", role::boxcar, work, [&work] { ++work.here; }));
    all.push_back(std::make_unique<fake>("tired", role::baseline, work, [&w, &work] {
      const bool first = w.reduce(work.here) == 0;
      if (first) ++work.here;
    }));
    all.push_back(std::make_unique<fake>("lost", role::baseline, work, [&work] { work.here = 0; }));
    return all;
  });
  EXPECT_EQ(results[0].failure, "");
  EXPECT_GE(results[0].sessions, 4U);
  EXPECT_EQ(results[1].failure, "") << "every session begins with nothing done";
  EXPECT_NE(results[2].failure, "");
}

TEST(runner, does_all_sessions_that_are_different_in_every_round) {
  const turns how{.rounds = 2, .least_seconds = 0};
  int done = 0;
  const auto results = results_on(1, how, [&done](world&, counting_job& work) {
    work.repeats = false;
    work.different = 10;
    contenders all;
    all.push_back(std::make_unique<fake>("ours", role::boxcar, work, [&work, &done] {
      ++work.here;
      ++done;
    }));
    return all;
  });
  EXPECT_EQ(results[0].failure, "");
  EXPECT_EQ(results[0].sessions, 10U);
  EXPECT_EQ(done, 30) << "two rounds, and one to warm up";
}

TEST(runner, lets_contenders_take_turns) {
  std::string order;
  const turns how{.rounds = 3, .least_seconds = 0};
  results_on(1, how, [&order](world&, counting_job& work) {
    contenders all;
    for (const char* name : {"a", "b"}) {
      all.push_back(std::make_unique<fake>(name, role::boxcar, work, [&work, &order, name] {
        ++work.here;
        order += name;
      }));
    }
    return all;
  });
  EXPECT_EQ(order, "abababab") << "one round to warm up, and three";
}

TEST(runner, reports_who_gets_it_wrong) {
  const turns how{.rounds = 2, .least_seconds = 0};
  const auto results = results_on(3, how, [](world& w, counting_job& work) {
    contenders all;
    all.push_back(std::make_unique<fake>("wrong", role::baseline, work, [&w, &work] {
      if (w.rank() != 1) ++work.here;
    }));
    all.push_back(std::make_unique<fake>("right", role::boxcar, work, [&work] { ++work.here; }));
    all.push_back(std::make_unique<fake>("wrong limit", role::limit, work, [] {}));
    return all;
  });
  EXPECT_EQ(results[0].failure, "PE 0: the result is wrong: the count is wrong");
  EXPECT_TRUE(results[0].seconds.empty());
  EXPECT_FALSE(results[0].measured());
  EXPECT_EQ(results[1].failure, "");
  EXPECT_EQ(results[1].seconds.size(), 2U) << "the others go on";
  EXPECT_NE(results[2].failure, "");
}

TEST(runner, reports_who_throws_and_where) {
  const turns how{.rounds = 2, .least_seconds = 0};
  int runs = 0;
  const auto results = results_on(3, how, [&runs](world& w, counting_job& work) {
    contenders all;
    all.push_back(std::make_unique<fake>("thrower", role::baseline, work, [&w, &work, &runs] {
      ++work.here;
      if (w.rank() == 2) {
        ++runs;
        throw std::runtime_error("no more of this");
      }
    }));
    all.push_back(std::make_unique<fake>("right", role::boxcar, work, [&work] { ++work.here; }));
    return all;
  });
  EXPECT_EQ(results[0].failure, "PE 2: no more of this");
  EXPECT_EQ(runs, 1) << "it is left out from then on";
  EXPECT_EQ(results[1].seconds.size(), 2U);
}

TEST(runner, counts_a_failure_in_a_later_round) {
  const turns how{.rounds = 3, .least_seconds = 0};
  int runs = 0;
  const auto results = results_on(1, how, [&runs](world&, counting_job& work) {
    contenders all;
    all.push_back(std::make_unique<fake>("tired", role::baseline, work, [&work, &runs] {
      if (++runs < 3) ++work.here;
    }));
    return all;
  });
  EXPECT_NE(results[0].failure, "");
  EXPECT_FALSE(results[0].measured()) << "what went well before does not count";
}

// Each run takes a second, and each step of the computation a hundredth; a tenth of the computation
// is hidden by the run.
class overlapping_job final : public job, public overlap_job {
 public:
  [[nodiscard]] std::uint64_t items() const override { return runs(); }
  [[nodiscard]] std::size_t item_bytes() const override { return 8; }
  void clear() override {
    done_ = 0;
    seconds_ = 0;
  }
  void check(world&, std::uint64_t sessions) const override {
    require(done_ == sessions * runs(), "the count is wrong");
  }
  void check_alone(std::uint64_t) const override {}
  overlap_job* as_overlap() override { return this; }

  [[nodiscard]] std::uint64_t runs() const override { return 4; }
  void set_steps(std::uint64_t steps) override { steps_ = static_cast<double>(steps); }
  void compute_alone() override { seconds_ += static_cast<double>(runs()) * steps_ / 100; }
  [[nodiscard]] double seconds() const override { return seconds_; }

  void run() {
    done_ += runs();
    seconds_ += static_cast<double>(runs()) * (1 + 0.9 * steps_ / 100);
  }

 private:
  std::uint64_t done_ = 0;
  double steps_ = 0;
  double seconds_ = 0;
};

class fake_overlap final : public contender {
 public:
  explicit fake_overlap(overlapping_job& work) : job_(work) {}
  [[nodiscard]] std::string name() const override { return "overlapping"; }
  [[nodiscard]] bench::role role() const override { return role::boxcar; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void run() override { job_.run(); }

 private:
  overlapping_job& job_;
};

TEST(runner, measures_runs_the_computation_and_both) {
  run(1, [](world& w) {
    overlapping_job work;
    contenders all;
    all.push_back(std::make_unique<fake_overlap>(work));
    all.push_back(std::make_unique<fake_overlap>(work));
    for (const contender_result& c : take_turns(w, all, {.rounds = 3})) {
      ASSERT_TRUE(c.measured()) << c.failure;
      ASSERT_TRUE(c.overlap.has_value());
      ASSERT_EQ(c.overlap->computing.size(), 3U);
      ASSERT_EQ(c.overlap->both.size(), 3U);
      for (std::size_t r = 0; r < 3; ++r) {
        EXPECT_DOUBLE_EQ(c.seconds[r], 4);
        EXPECT_DOUBLE_EQ(c.overlap->computing[r], 4) << "made as long as the runs";
        EXPECT_DOUBLE_EQ(c.overlap->both[r], 7.6);
      }
    }
  });
}

TEST(runner, tells_how_far_it_is) {
  std::vector<int> told;
  turns how{.rounds = 2, .least_seconds = 0};
  how.progress = [&told](int done, int of) {
    told.push_back(done);
    EXPECT_EQ(of, 6);
  };
  results_on(1, how, [](world&, counting_job& work) {
    contenders all;
    for (int i = 0; i < 2; ++i) {
      all.push_back(std::make_unique<fake>("one", role::boxcar, work, [&work] { ++work.here; }));
    }
    return all;
  });
  EXPECT_EQ(told, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace boxcar::bench::runner_test
