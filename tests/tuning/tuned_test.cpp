// Tests of conveyors and streams with automatic tuning: whatever they try, everything arrives, and
// all PEs do the same.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>
#include <boxcar/stream.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::tuned_test {
namespace {

// The numbers are large enough for a trial, and small enough to be quick.
constexpr int sessions = 30;
constexpr int items_each = 4000;

const std::vector<world_shape> shapes = or_cluster({{substrate_kind::threads, 1, 1},
                                                    {substrate_kind::threads, 4, 1},
                                                    {substrate_kind::threads, 6, 3},
                                                    {substrate_kind::processes, 4, 2}});

struct kind_case {
  std::string name;
  conveyor_options options;
};
std::string name_of(const kind_case& c) {
  return c.name;
}

const std::vector<kind_case> kinds{
    {"automatic", {.tune = true}},
    {"two_hops", {.hops = 2, .tune = true}},
    {"fixed_buffers", {.buffer_bytes = 512, .tune = true}},
    {"simple", {.kind = conveyor_kind::simple, .tune = true}},
    {"twohop", {.kind = conveyor_kind::twohop, .tune = true}},
    {"steady", {.steady = true, .tune = true}},
    {"dynamic", {.dynamic_memory = true, .tune = true}},
    {"compressed", {.compress = true, .tune = true}},
    {"bounded", {.max_bytes = 200'000, .tune = true}},
};

template <typename T>
T sum_of(world& w, T mine) {
  return w.reduce(mine, std::plus<>{});
}

// Every PE sends numbers to every PE, with a known sum. `mine` is the count of this PE.
template <typename Conveyor>
void session_of(world& w, Conveyor& c, long mine) {
  const session s = c.begin();
  long next = 0;
  long sum = 0;
  while (c.advance(next == mine) != advance_result::done) {
    while (next < mine && c.push(next, static_cast<int>((w.rank() + next) % w.size()))) ++next;
    long item = 0;
    while (c.pull(item)) sum += item;
  }
  const long all = sum_of(w, mine * (mine - 1) / 2);
  EXPECT_EQ(sum_of(w, sum), all);
}

// All PEs say the same.
void expect_alike(world& w, const std::string& text) {
  const std::size_t here = std::hash<std::string>{}(text);
  EXPECT_EQ(w.broadcast(here), here) << text;
}

class tuned : public testing::TestWithParam<shaped<kind_case>> {};

TEST_P(tuned, conveyors_deliver_everything) {
  const conveyor_options& options = GetParam().detail.options;
  run_on(GetParam().shape, [&](world& w) {
    conveyor<long> c(w, options);
    for (int i = 0; i < sessions; ++i) {
      session_of(w, c, items_each);
      expect_alike(w, c.explain());
      if (options.buffer_bytes != 0) {
        EXPECT_EQ(c.buffer_bytes(), options.buffer_bytes);
      }
      if (options.max_bytes != 0) {
        EXPECT_LE(c.session_statistics().memory_bytes, options.max_bytes);
      }
    }
    EXPECT_NE(c.explain().find("tuning: "), std::string::npos) << c.explain();
    EXPECT_EQ(c.total_statistics().pushes, std::uint64_t{sessions} * items_each);
  });
}
INSTANTIATE_TEST_SUITE_P(, tuned, testing::ValuesIn(on_shapes(shapes, kinds)), by_name{});

class tuned_on : public testing::TestWithParam<world_shape> {};

TEST_P(tuned_on, sessions_may_be_empty_uneven_and_of_any_amount) {
  run_on(GetParam(), [](world& w) {
    conveyor<long> c(w, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      session_of(w, c, i % 5 == 0 ? 0 : i % 3 == 0 ? 20 : items_each);
      session_of(w, c, w.rank() == 0 ? 0 : items_each);  // one PE sends nothing
    }
  });
}

TEST_P(tuned_on, elastic_conveyors_deliver_everything) {
  run_on(GetParam(), [](world& w) {
    elastic_conveyor c(w, 50'000, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      const session s = c.begin();
      const int mine = 300;
      int next = 0;
      std::size_t bytes = 0;
      while (c.advance(next == mine) != advance_result::done) {
        for (; next < mine; ++next) {
          const std::string item(next == 7 ? 50'000 : static_cast<std::size_t>(next), 'x');
          if (!c.push(item, (w.rank() + next) % w.size())) break;
        }
        while (const auto item = c.pull()) bytes += item->bytes.size();
      }
      EXPECT_EQ(sum_of(w, bytes),
                static_cast<std::size_t>(w.size()) * (300 * 299 / 2 - 7 + 50'000));
      expect_alike(w, c.explain());
    }
  });
}

TEST_P(tuned_on, biconveyors_answer_everything) {
  run_on(GetParam(), [](world& w) {
    biconveyor<int, long> c(w, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      const auto answer = [&w](int query) { return 10L * query + w.rank(); };
      const session s = c.begin(answer);
      int asked = 0;
      int answered = 0;
      while (c.advance(asked == items_each) != advance_result::done) {
        while (asked < items_each && c.push(asked, asked % w.size())) ++asked;
        for (long reply = 0; c.pull(reply); ++answered) {
          EXPECT_EQ(reply, 10L * answered + answered % w.size());
        }
      }
      EXPECT_EQ(answered, items_each);
      expect_alike(w, c.explain());
    }
  });
}

TEST_P(tuned_on, streams_deliver_everything) {
  run_on(GetParam(), [](world& w) {
    long sum = 0;
    std::size_t elements = 0;
    stream<long> numbers(w, [&sum](long item) { sum += item; }, {.tune = true});
    stream<int[]> arrays(w, [&](std::span<const int> a) { elements += a.size(); }, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      sum = 0;
      elements = 0;
      const session first = numbers.begin();
      for (long item = 0; item < items_each; ++item) {
        numbers.send(item, static_cast<int>((w.rank() + item) % w.size()));
      }
      numbers.broadcast(1);
      numbers.finish();
      const session second = arrays.begin(staged(1));
      for (int n = 0; n < 200; ++n) {
        arrays.send_array(std::vector<int>(static_cast<std::size_t>(n == 5 ? 30'000 : n)),
                          n % w.size());
      }
      arrays.done();
      arrays.finish();
      EXPECT_EQ(sum_of(w, sum), w.size() * (long{items_each} * (items_each - 1) / 2 + w.size()));
      EXPECT_EQ(sum_of(w, elements),
                static_cast<std::size_t>(w.size()) * (200 * 199 / 2 - 5 + 30'000));
      expect_alike(w, numbers.explain() + arrays.explain());
    }
    EXPECT_NE(numbers.explain().find("tuning: "), std::string::npos) << numbers.explain();
  });
}

TEST_P(tuned_on, many_at_once_and_in_parts_of_the_world) {
  run_on(GetParam(), [](world& w) {
    std::optional<world> part = w.split(w.rank() % 2);
    conveyor<long> one(w, {.tune = true});
    conveyor<long> other(*part, {.tune = true});
    conveyor<long> third(w, {.steady = true, .tune = true});
    for (int i = 0; i < sessions; ++i) {
      session_of(w, one, items_each);
      session_of(*part, other, items_each);
      session_of(w, third, items_each);
      expect_alike(*part, other.explain());
    }
  });
}

TEST_P(tuned_on, conveyors_can_be_moved) {
  run_on(GetParam(), [](world& w) {
    conveyor<long> c(w, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      session_of(w, c, items_each);
      conveyor<long> next = std::move(c);
      c = std::move(next);
    }
  });
}

TEST_P(tuned_on, options_with_nothing_open_are_refused) {
  run_on(GetParam(), [](world& w) {
    for (const conveyor_options& o :
         {conveyor_options{.hops = 1, .buffer_bytes = 4096, .tune = true},
          conveyor_options{.kind = conveyor_kind::simple, .buffer_bytes = 4096, .tune = true}}) {
      expect_mentions(thrown_by<argument_error>([&] { conveyor<long> c(w, o); }),
                      {"tune is true, but nothing is open", "4096"});
    }
    const stream_options all{.way = route::direct(w.size()), .buffer_bytes = 4096, .tune = true};
    expect_mentions(thrown_by<argument_error>([&] {
                      stream<int> s(
                          w, [](int) {}, all);
                    }),
                    {"tune is true, but nothing is open", "4096", "direct"});
    if (w.size() == 1) return;
    const conveyor_options unlike{.tune = w.rank() == 0};
    expect_mentions(thrown_by<argument_error>([&] { conveyor<long> c(w, unlike); }),
                    {"disagree on a conveyor's tune"});
  });
}

// The first trial is over, and a PE does not come to the next.
TEST_P(tuned_on, a_pe_that_fails_between_sessions_is_heard_by_all) {
  if (GetParam().pes == 1) GTEST_SKIP() << "nobody is there to hear it";
  const world_report report = observe(GetParam(), [](world& w) {
    conveyor<long> c(w, {.tune = true});
    for (int i = 0; i < sessions; ++i) {
      if (i == 5 && w.rank() == 0) throw std::runtime_error("no more");
      session_of(w, c, items_each);
    }
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;  // processes may be ended before
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
  }
}

// A variable of the environment, for the duration of a test.
class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) {
    setenv(name_, value.c_str(), 1);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { unsetenv(name_); }

 private:
  const char* name_;
};

// The file of PE 0, which in a cluster is another process.
TEST_P(tuned_on, a_file_with_mistakes_is_refused_by_all) {
  const std::string name =
      std::filesystem::temp_directory_path() / ("mistake." + std::to_string(getpid()));
  std::ofstream(name) << "# remark\nconveyor pes=none\n";
  {
    const variable file("BOXCAR_TUNING", name);
    run_on(GetParam(), [&](world& w) {
      expect_mentions(thrown_by<argument_error>([&] { conveyor<long> c(w, {.tune = true}); }),
                      {"mistake.", ", line 2: ", "version is missing"});
      expect_mentions(
          thrown_by<argument_error>([&] { stream<int> s(w, [](int) {}, {.tune = true}); }),
          {"mistake.", ", line 2: "});
      conveyor<long> untuned(w);  // without tuning, which ignores the file
      session_of(w, untuned, 100);
    });
  }
  std::filesystem::remove(name);
}

TEST_P(tuned_on, exchange_takes_what_was_found) {
  run_on(GetParam(), [](world& w) {
    long sum = 0;
    exchange<long>(
        w, [&](auto& to) { to.push(w.rank(), 0); }, [&](long item) { sum += item; },
        {.tune = true});
    EXPECT_EQ(sum_of(w, sum), long{w.size()} * (w.size() - 1) / 2);
  });
}
INSTANTIATE_TEST_SUITE_P(, tuned_on, testing::ValuesIn(shapes), by_name{});

}  // namespace
}  // namespace boxcar::test::tuned_test
