// Tests of a program's ways to get a world. (tests/tool has tests of the launcher's processes.)
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "support/thrown.hpp"
#include "support/time_limit.hpp"

namespace boxcar::test::run_test {
namespace {

class run : public testing::Test {
 private:
  time_limit limit_{max_world};
};

TEST_F(run, returns_when_all_have) {
  std::atomic<int> returned = 0;
  boxcar::run(5, [&](world& w) {
    w.sleep(std::chrono::milliseconds(w.rank()));
    ++returned;
  });
  EXPECT_EQ(returned, 5);
}

TEST_F(run, makes_the_caller_pe_0) {
  const auto caller = std::this_thread::get_id();
  boxcar::run(3, [&](world& w) { EXPECT_EQ(std::this_thread::get_id() == caller, w.rank() == 0); });
}

TEST_F(run, can_be_repeated_and_nested) {
  std::atomic<int> pes = 0;
  for (int i = 0; i < 3; ++i) {
    boxcar::run(2, [&](world& outer) {
      boxcar::run(3, [&](world& inner) { pes += inner.reduce(1); }, {.nodes = 3});
      outer.barrier();
    });
  }
  EXPECT_EQ(pes, 3 * 2 * 3 * 3);
}

TEST_F(run, refuses_numbers_that_cannot_work) {
  const auto start = [](int pes, int nodes) {
    return [=] { boxcar::run(pes, [](world&) { FAIL(); }, {.nodes = nodes}); };
  };
  expect_mentions(thrown_by<argument_error>(start(0, 1)), {"0 PEs"});
  expect_mentions(thrown_by<argument_error>(start(-3, 1)), {"-3 PEs"});
  expect_mentions(thrown_by<argument_error>(start(1'000'000, 1)), {"1000000 PEs", "32767"});
  expect_mentions(thrown_by<argument_error>(start(4, 0)), {"4 PEs", "0 nodes", "1 to 4"});
  expect_mentions(thrown_by<argument_error>(start(4, -1)), {"4 PEs", "-1 nodes"});
  expect_mentions(thrown_by<argument_error>(start(4, 5)), {"4 PEs", "5 nodes", "1 to 4"});
}

TEST_F(run, rethrows_what_was_thrown) {
  struct special : std::logic_error {
    using std::logic_error::logic_error;
  };
  for (int thrower = 0; thrower < 3; ++thrower) {
    const auto world_with_failure = [&] {
      boxcar::run(3, [&](world& w) {
        if (w.rank() == thrower) throw special("as it was");
        w.barrier();
      });
    };
    EXPECT_EQ(thrown_by<special>(world_with_failure), "as it was");
  }
  EXPECT_THROW(boxcar::run(2, [](world&) { throw 'c'; }), char);
}

TEST_F(run, throws_if_a_pe_has_left_too_early) {
  const auto world_with_absence = [] {
    boxcar::run(3, [](world& w) {
      if (w.rank() != 1) w.barrier();
    });
  };
  expect_mentions(thrown_by<world_error>(world_with_absence), {"PE 1 has left"});
}

TEST_F(run, returns_what_the_lowest_pe_returned_that_is_not_0) {
  EXPECT_EQ(boxcar::run(3, [](world&) { return 0; }), 0);
  EXPECT_EQ(boxcar::run(4, [](world& w) { return w.rank() == 0 ? 0 : 10 * w.rank(); }), 10);
}

// The form for `main`, without a launcher.
class run_of_a_program : public run {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  // Returns the exit status; `output` gets the text on standard error.
  int run_program(const std::function<void(world&)>& function) {
    testing::internal::CaptureStderr();
    const int status = boxcar::run(function);
    output = testing::internal::GetCapturedStderr();
    return status;
  }

  std::string output;

 private:
  static void clear() {
    for (const char* name : {"BOXCAR_PES", "BOXCAR_NODES", "BOXCAR_STALL_SECONDS"}) unsetenv(name);
  }
};

TEST_F(run_of_a_program, has_one_pe_if_nothing_is_said) {
  int pes = 0;
  EXPECT_EQ(run_program([&](world& w) { pes = w.size(); }), 0);
  EXPECT_EQ(pes, 1);
  EXPECT_EQ(output, "");
}

TEST_F(run_of_a_program, takes_its_size_from_the_environment) {
  setenv("BOXCAR_PES", "6", 1);
  setenv("BOXCAR_NODES", "3", 1);
  std::atomic<int> pes = 0;
  EXPECT_EQ(run_program([&](world& w) {
              EXPECT_EQ(w.size(), 6);
              EXPECT_EQ(w.nodes(), 3);
              ++pes;
            }),
            0);
  EXPECT_EQ(pes, 6);
}

TEST_F(run_of_a_program, tells_what_was_thrown) {
  setenv("BOXCAR_PES", "3", 1);
  EXPECT_EQ(run_program([](world& w) {
              if (w.rank() == 2) throw std::runtime_error("out of luck");
              w.barrier();
            }),
            1);
  EXPECT_EQ(output, "boxcar: PE 2: out of luck\n");
}

TEST_F(run_of_a_program, fails_if_a_pe_has_left_too_early) {
  setenv("BOXCAR_PES", "2", 1);
  EXPECT_EQ(run_program([](world& w) {
              if (w.rank() == 0) w.barrier();
            }),
            1);
  expect_mentions(output, {"PE 1 has left"});
}

TEST_F(run_of_a_program, ends_with_the_status_that_a_pe_returns) {
  setenv("BOXCAR_PES", "3", 1);
  EXPECT_EQ(boxcar::run([](world& w) { return w.rank() == 1 ? 42 : 0; }), 42);
  EXPECT_EQ(boxcar::run([](world&) { return 0; }), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(boxcar::run([](world& w) -> int {
              if (w.rank() == 0) throw std::runtime_error("out of luck");
              return 42;
            }),
            1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "boxcar: PE 0: out of luck\n");
}

TEST_F(run_of_a_program, refuses_an_environment_of_nonsense) {
  const auto refused = [&](const char* name, const char* value) {
    setenv(name, value, 1);
    EXPECT_EQ(run_program([](world&) { FAIL(); }), 1);
    expect_mentions(output, {name, value});
    unsetenv(name);
  };
  for (const char* value : {"0", "-2", "four", "4x", "99999999999999999999"}) {
    refused("BOXCAR_PES", value);
    refused("BOXCAR_NODES", value);
  }
  for (const char* value : {"-1", "soon", "nan"}) refused("BOXCAR_STALL_SECONDS", value);
}

TEST_F(run_of_a_program, takes_empty_variables_for_none) {
  setenv("BOXCAR_PES", "", 1);
  setenv("BOXCAR_NODES", "", 1);
  EXPECT_EQ(run_program([](world& w) { EXPECT_EQ(w.size(), 1); }), 0);
}

}  // namespace
}  // namespace boxcar::test::run_test
