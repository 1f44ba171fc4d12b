// Tests of tuning on machines with a simulated clock and network: the results are the same in each
// run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/simulate.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"

namespace boxcar::test::tuned_simulation_test {
namespace {

constexpr int max_steps = 25;

struct load {
  std::string name;
  simulate_options machine;
  long items;  // items of each PE
  int near;    // number of PEs behind the PE that it sends to; 0: all PEs
};
std::string name_of(const load& l) {
  return l.name;
}

simulated_network network(const std::string& name) {
  return read_network(BOXCAR_NETWORKS + name + ".network");
}

std::vector<load> loads() {
  return {
      {"adapters_16_nodes", {.pes = 64, .pes_per_node = 4}, 2500, 0},
      {"aries_8_nodes", {.pes = 64, .pes_per_node = 8, .network = network("aries")}, 2000, 0},
      {"slingshot_few_items",
       {.pes = 48, .pes_per_node = 8, .network = network("slingshot")},
       700,
       0},
      {"ethernet_one_pe_each",
       {.pes = 24, .pes_per_node = 1, .network = network("ethernet-25g")},
       2000,
       0},
      {"ethernet_neighbours",
       {.pes = 32, .pes_per_node = 4, .network = network("ethernet-100g")},
       3000,
       5},
      {"one_node", {.pes = 12}, 20'000, 0},
  };
}

// Returns the time of one session, on the slowest PE.
double session_of(world& w, conveyor<long>& c, const load& l) {
  w.barrier();
  const auto before = w.now();
  {
    const session s = c.begin();
    long next = 0;
    std::uint32_t random = 12345U + static_cast<std::uint32_t>(w.rank());
    const auto draw = [&] {
      random = random * 1664525U + 1013904223U;
      const auto drawn = static_cast<int>((random >> 8) & 0xffff);
      return l.near == 0 ? drawn % w.size() : (w.rank() + 1 + drawn % l.near) % w.size();
    };
    int to = draw();
    while (c.advance(next == l.items) != advance_result::done) {
      for (; next < l.items && c.push(next, to); ++next) to = draw();
      for (long item = 0; c.pull(item);) {
      }
    }
  }
  return w.reduce(static_cast<double>((w.now() - before).count()), maximum{});
}

// The time of the second session with the options: in the first some PEs still set up.
double time_with(const load& l, const conveyor_options& options) {
  double time = 0;
  simulate(l.machine, [&](world& w) {
    conveyor<long> c(w, options);
    session_of(w, c, l);
    const double here = session_of(w, c, l);
    if (w.rank() == 0) time = here;
  });
  return time;
}

// The number of steps in an explanation, or -1.
int steps_in(const std::string& text) {
  const std::string before = "settled after ";
  const std::size_t at = text.find(before);
  return at == std::string::npos ? -1 : std::atoi(text.c_str() + at + before.size());
}

struct tuned_run {
  int steps = -1;
  double time = 0;  // of a session after tuning has settled
  std::string text;
};

tuned_run tune(const load& l, int max_sessions = 4000) {
  tuned_run run;
  simulate(l.machine, [&](world& w) {
    conveyor<long> c(w, {.tune = true});
    for (int i = 0; i < max_sessions && steps_in(c.explain()) < 0; ++i) session_of(w, c, l);
    session_of(w, c, l);
    const double here = session_of(w, c, l);
    if (w.rank() == 0) run = {steps_in(c.explain()), here, c.explain()};
  });
  return run;
}

class tuned_simulation : public testing::TestWithParam<load> {};

// The result does not depend on hops and buffers.
TEST_P(tuned_simulation, is_as_fast_as_the_best_within_25_steps) {
  const load& l = GetParam();
  const double usual = time_with(l, {});
  double best = usual;
  std::string which = "as usual";
  for (const int hops : {1, 2, 3}) {
    for (std::size_t bytes = 512; bytes <= (std::size_t{1} << 18); bytes *= 2) {
      const double time = time_with(l, {.hops = hops, .buffer_bytes = bytes});
      if (time >= best) continue;
      best = time;
      which = std::to_string(hops) + " hops, " + std::to_string(bytes) + " bytes";
    }
  }
  const tuned_run run = tune(l);
  EXPECT_GE(run.steps, 0) << run.text;
  EXPECT_LE(run.steps, max_steps) << run.text;
  EXPECT_LE(0.95 * run.time, best) << "best: " << which << "\n" << run.text;
  EXPECT_LE(0.95 * run.time, usual) << run.text;
}

INSTANTIATE_TEST_SUITE_P(, tuned_simulation, testing::ValuesIn(loads()), by_name{});

TEST(tuned_streams, are_no_slower_than_without_and_settle) {
  const load l{"", {.pes = 48, .pes_per_node = 4, .network = network("aries")}, 1500, 0};
  const auto time_of = [&l](const stream_options& options, std::string& text) {
    double time = 0;
    simulate(l.machine, [&](world& w) {
      stream<long> s(
          w, [](long) {}, options);
      const auto send_all = [&] {
        w.barrier();
        const auto before = w.now();
        const session scope = s.begin();
        for (long i = 0; i < l.items; ++i) {
          s.send(i, static_cast<int>((i * 7919 + w.rank()) % w.size()));
        }
        s.finish();
        return w.reduce(static_cast<double>((w.now() - before).count()), maximum{});
      };
      for (int i = 0; options.tune && i < 4000 && steps_in(s.explain()) < 0; ++i) send_all();
      send_all();
      const double here = send_all();
      if (w.rank() != 0) return;
      time = here;
      text = s.explain();
    });
    return time;
  };
  std::string text;
  const double usual = time_of({}, text);
  EXPECT_EQ(text.find("tuning"), std::string::npos) << text;
  const double found = time_of({.tune = true}, text);
  EXPECT_GE(steps_in(text), 1) << text;
  EXPECT_LE(steps_in(text), max_steps) << text;
  EXPECT_LE(0.95 * found, usual) << text;
}

// Building may take a twentieth of the time in sessions.
TEST(tuned_simulations, take_little_time_outside_of_sessions) {
  load l = loads().front();
  l.items = 4000;
  constexpr int sessions = 150;
  struct times {
    double inside = 0;
    double outside = 0;
  };
  const auto run = [&l](bool tune) {
    times found;
    simulate(l.machine, [&](world& w) {
      conveyor<long> c(w, {.tune = tune});
      const auto before = w.now();
      std::chrono::nanoseconds inside{0};
      for (int i = 0; i < sessions; ++i) {
        session s = c.begin();
        const auto began = w.now();
        long next = 0;
        while (c.advance(next == l.items) != advance_result::done) {
          while (next < l.items && c.push(next, static_cast<int>(next) % w.size())) ++next;
          for (long item = 0; c.pull(item);) {
          }
        }
        w.barrier();  // the first PE to end does not wait outside
        inside += w.now() - began;
        c.reset();
      }
      const auto all = w.now() - before;
      if (w.rank() == 0) {
        found = {static_cast<double>(inside.count()), static_cast<double>((all - inside).count())};
      }
    });
    return found;
  };
  const times tuned = run(true);
  EXPECT_LE(tuned.outside, run(false).outside + 0.1 * tuned.inside);
}

class file_in_environment {
 public:
  explicit file_in_environment(const std::string& name)
      : name_(std::filesystem::temp_directory_path() / (name + "." + std::to_string(getpid()))) {
    std::filesystem::remove(name_);
    setenv("BOXCAR_TUNING", name_.c_str(), 1);
  }
  file_in_environment(const file_in_environment&) = delete;
  file_in_environment& operator=(const file_in_environment&) = delete;
  ~file_in_environment() {
    unsetenv("BOXCAR_TUNING");
    std::filesystem::remove(name_);
  }

  [[nodiscard]] std::string text() const {
    std::ostringstream all;
    all << std::ifstream(name_).rdbuf();
    return all.str();
  }

 private:
  std::string name_;
};

TEST(tuned_simulations, are_taken_up_by_the_next_run) {
  const file_in_environment file("found");
  const load l = {"", {.pes = 16, .pes_per_node = 4}, 6000, 0};
  const tuned_run first = tune(l);
  ASSERT_GE(first.steps, 1) << first.text;
  const std::string saved = file.text();
  EXPECT_NE(saved.find("conveyor version="), std::string::npos) << saved;
  EXPECT_NE(saved.find("pes=16 pes_per_node=4 item_bytes=8"), std::string::npos) << saved;

  const tuned_run second = tune(l, 1);
  ASSERT_NE(second.text.find("as found in an earlier run"), std::string::npos) << second.text;
  EXPECT_EQ(file.text(), saved);
  EXPECT_LE(0.98 * second.time, first.time);
  EXPECT_LE(0.98 * first.time, second.time);

  // Results from another machine are not used.
  load other = l;
  other.machine.pes = 12;
  EXPECT_EQ(tune(other, 1).text.find("as found"), std::string::npos);
}

TEST(tuned_simulations, look_for_another_setting_for_other_amounts_of_items) {
  const file_in_environment file("amounts");
  load l = {"", {.pes = 16, .pes_per_node = 4}, 6000, 0};
  ASSERT_GE(tune(l).steps, 1);
  l.items = 20;
  simulate(l.machine, [&](world& w) {
    conveyor<long> c(w, {.tune = true});
    EXPECT_NE(c.explain().find("as found in an earlier run"), std::string::npos) << c.explain();
    session_of(w, c, l);
    // The stored result was for a hundred times as many items.
    EXPECT_NE(c.explain().find("0 steps of at most 25"), std::string::npos) << c.explain();
  });
}

TEST(tuned_simulations, begin_again_when_sessions_have_become_others) {
  const load few = {"", {.pes = 12, .pes_per_node = 3}, 4000, 0};
  load many = few;
  many.items = 40'000;
  simulate(few.machine, [&](world& w) {
    conveyor<long> c(w, {.tune = true});
    for (int i = 0; i < 4000 && steps_in(c.explain()) < 0; ++i) session_of(w, c, few);
    EXPECT_GE(steps_in(c.explain()), 1) << c.explain();
    int sessions = 0;
    for (; sessions < 200 && steps_in(c.explain()) >= 0; ++sessions) session_of(w, c, many);
    EXPECT_LT(sessions, 200) << c.explain();
    for (int i = 0; i < 1000 && steps_in(c.explain()) < 0; ++i) session_of(w, c, many);
    EXPECT_GE(steps_in(c.explain()), 1) << c.explain();
    EXPECT_LE(steps_in(c.explain()), max_steps) << c.explain();
  });
}

// A file that cannot be written costs a line on standard error, and nothing else.
TEST(tuned_simulations, go_on_if_nothing_can_be_saved) {
  const std::string name = std::filesystem::temp_directory_path() / "no" / "such" / "folder";
  setenv("BOXCAR_TUNING", name.c_str(), 1);
  testing::internal::CaptureStderr();
  const tuned_run run = tune({"", {.pes = 8, .pes_per_node = 2}, 10'000, 0});
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("BOXCAR_TUNING");
  EXPECT_GE(run.steps, 1) << run.text;
  EXPECT_NE(said.find("what tuning has found is not saved: cannot"), std::string::npos) << said;
  EXPECT_NE(said.find(name), std::string::npos) << said;
}

TEST(tuned_simulations, say_what_they_do_where_that_is_wanted) {
  setenv("BOXCAR_TUNING_REPORT", "1", 1);
  testing::internal::CaptureStderr();
  const tuned_run run = tune({"", {.pes = 8, .pes_per_node = 2}, 10'000, 0});
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("BOXCAR_TUNING_REPORT");
  EXPECT_NE(said.find("step 1: "), std::string::npos) << said;
  EXPECT_NE(said.find("settled after " + std::to_string(run.steps) + " steps"), std::string::npos)
      << said << run.text;
}

}  // namespace
}  // namespace boxcar::test::tuned_simulation_test
