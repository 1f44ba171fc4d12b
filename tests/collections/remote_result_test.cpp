// Tests of results of remote functions: coroutines, waits and batches, and the exceptions that come
// back.
#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/coroutine.hpp>
#include <boxcar/error.hpp>
#include <boxcar/remote_function.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::remote_result_test {
namespace {

class remote_results : public testing::TestWithParam<stream_setup> {
 protected:
  [[nodiscard]] static remote_function_options options() {
    remote_function_options o{.calls = GetParam().options(), .name = "asked"};
    if (o.calls.buffer_bytes != 0) {
      o.calls.buffer_bytes = std::max<std::size_t>(o.calls.buffer_bytes, 64);
    }
    return o;
  }
  [[nodiscard]] static termination ending() { return GetParam().one_producer_each(); }
  static void finish(auto& f) {
    if (GetParam().ending != termination_kind::quiescence) f.done();
    f.finish();
  }
  [[nodiscard]] static int asks() { return GetParam().shape.pes > 8 ? 200 : 1000; }
};

struct place {
  std::int64_t rank;
  std::int64_t runs = 0;
};

constexpr auto triple = [](place& here, std::int64_t n) {
  ++here.runs;
  return 3 * n + here.rank;
};

TEST_P(remote_results, of_waits_are_right_for_every_pe) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    for (int pe = 0; pe < w.size(); ++pe) {
      EXPECT_EQ(f.ask(pe, 5 + w.rank()).wait(), 15 + 3 * w.rank() + pe);
    }
    auto one = f.ask(w.rank(), 1);
    auto two = f.ask(0, 2);
    EXPECT_EQ(two.wait(), 6);
    EXPECT_EQ(one.wait(), 3 + w.rank());
    finish(f);
    EXPECT_EQ(w.reduce(here.runs), w.size() * (w.size() + 2));
    EXPECT_FALSE(f.on());
  });
}

TEST_P(remote_results, of_batches_are_right) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::int64_t asked = 0;
    for (const int count : {0, 1, asks()}) {
      std::vector<int> pes;
      std::vector<std::int64_t> numbers;
      for (int i = 0; i < count; ++i) {
        pes.push_back(d.below(w.size()));
        numbers.push_back(d.below(1'000'000));
      }
      const std::vector<std::int64_t> results = f.ask_all(pes, numbers);
      ASSERT_EQ(results.size(), pes.size());
      for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_EQ(results[i], 3 * numbers[i] + pes[i]) << i;
      }
      asked += count;
    }
    finish(f);
    EXPECT_EQ(w.reduce(here.runs), w.reduce(asked));
    EXPECT_EQ(w.reduce(f.session_statistics().replies.sent),
              w.reduce(static_cast<std::uint64_t>(asked)));
  });
}

// Each number comes once, whatever else is asked at the same time.
TEST_P(remote_results, of_batches_come_with_their_numbers) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    const auto count = static_cast<std::size_t>(w.rank() % 3 == 1 ? 0 : asks());
    std::vector<int> times(count);
    std::vector<remote_result<std::int64_t>> beside;
    f.ask_all(
        [&](auto& ask) {
          for (std::size_t i = 0; i < count; ++i) {
            ask(static_cast<int>(i) % w.size(), static_cast<std::int64_t>(i));
            if (i % 50 == 0) beside.push_back(f.ask(0, static_cast<std::int64_t>(i)));
            if (i % 70 == 0) f(0, 1);  // the result is dropped
          }
        },
        [&](std::size_t i, std::int64_t result) {
          ++times[i];
          const auto number = static_cast<std::int64_t>(i);
          EXPECT_EQ(result, 3 * number + number % w.size());
        });
    EXPECT_EQ(std::ranges::count(times, 1), static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < beside.size(); ++i) {
      EXPECT_EQ(beside[i].wait(), 150 * static_cast<std::int64_t>(i));
    }
    finish(f);
  });
}

task add_up(auto& f, int pes, int first, int times, std::int64_t& sum) {
  for (int i = 0; i < times; ++i) sum += co_await f.ask((first + i) % pes, first + i);
}

TEST_P(remote_results, of_two_thousand_coroutines) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    const int count = w.size() > 4 ? 200 : 2000;
    std::vector<std::int64_t> sums(static_cast<std::size_t>(count));
    std::vector<task> tasks;
    for (int i = 0; i < count; ++i) {
      tasks.push_back(add_up(f, w.size(), i, 3, sums[static_cast<std::size_t>(i)]));
    }
    run_tasks(w, std::move(tasks));
    for (int i = 0; i < count; ++i) {
      std::int64_t expected = 0;
      for (int k = i; k < i + 3; ++k) expected += 3 * k + k % w.size();
      ASSERT_EQ(sums[static_cast<std::size_t>(i)], expected) << i;
    }
    finish(f);
    EXPECT_EQ(resume_coroutines(), 0U);
  });
}

// Strings both ways, and each form of arguments with each form of results.
TEST_P(remote_results, of_any_types) {
  run_on(GetParam().shape, [&](world& w) {
    int rank = w.rank();
    const remote_function_options o = options();
    remote_function repeat(
        w, rank,
        [](int& pe, const std::string& text, int times) {
          std::string all = std::to_string(pe);
          for (int i = 0; i < times; ++i) all += text;
          return all;
        },
        o);
    remote_function length(
        w, [](const std::string& text) { return text.size(); }, o);
    remote_function numbers(
        w, [](int n) { return std::vector<int>(static_cast<std::size_t>(n), n); }, o);
    remote_function where(
        w, rank, [](const int& pe) { return static_cast<char>('a' + pe % 26); }, o);
    {
      const session a = repeat.begin(ending());
      const session b = length.begin(ending());
      const session c = numbers.begin(ending());
      const session d = where.begin(ending());
      const int next = (w.rank() + 1) % w.size();
      EXPECT_EQ(repeat.ask(next, "ab", 3).wait(), std::to_string(next) + "ababab");
      EXPECT_EQ(repeat.ask(next, "x", 5000).wait().size(), 5000 + std::to_string(next).size());
      EXPECT_EQ(length.ask(next, std::string(3000, 'z')).wait(), 3000U);
      EXPECT_EQ(numbers.ask(w.rank(), 4).wait(), (std::vector<int>{4, 4, 4, 4}));
      EXPECT_EQ(where.ask(next).wait(), 'a' + next % 26);
      std::vector<int> pes(20);
      std::vector<std::string> texts(20);
      for (std::size_t i = 0; i < pes.size(); ++i) {
        pes[i] = static_cast<int>(i) % w.size();
        texts[i].assign(i * 11, 'q');
      }
      const std::vector<std::size_t> lengths = length.ask_all(pes, texts);
      const std::vector<std::string> repeated = repeat.ask_all(pes, texts, std::vector<int>(20, 2));
      for (std::size_t i = 0; i < pes.size(); ++i) {
        EXPECT_EQ(lengths[i], i * 11);
        EXPECT_EQ(repeated[i], std::to_string(pes[i]) + std::string(i * 22, 'q'));
      }
      finish(repeat);
      finish(length);
      finish(numbers);
      finish(where);
    }
  });
}

constexpr auto refuse_odd = [](int& pe, int n) {
  if (n == 1) throw 17;
  if (n % 2 != 0) {
    throw std::runtime_error("number " + std::to_string(n) + " is odd on " + std::to_string(pe));
  }
  return static_cast<short>(n / 2);
};

TEST_P(remote_results, include_exceptions) {
  run_on(GetParam().shape, [&](world& w) {
    int rank = w.rank();
    remote_function f(w, rank, refuse_odd, options());
    const session scope = f.begin(ending());
    const int next = (w.rank() + 1) % w.size();
    auto odd = f.ask(next, 7);
    auto even = f.ask(next, 8);
    EXPECT_EQ(even.wait(), 4);
    try {
      (void)odd.wait();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const remote_error& e) {
      EXPECT_EQ(e.pe(), next);
      expect_mentions(e.what(), {"asked", "PE " + std::to_string(next),
                                 "number 7 is odd on " + std::to_string(next)});
    }
    expect_mentions(thrown_by<remote_error>([&] { (void)f.ask(next, 1).wait(); }),
                    {"no std::exception"});
    // A batch delivers all other results before it throws.
    std::size_t received = 0;
    expect_mentions(thrown_by<remote_error>([&] {
                      f.ask_all(
                          [&](auto& ask) {
                            for (int i = 0; i < 100; ++i) ask(i % w.size(), i % 10 == 3 ? 3 : 2);
                          },
                          [&](std::size_t, short result) {
                            EXPECT_EQ(result, 1);
                            ++received;
                          });
                    }),
                    {"number 3 is odd"});
    EXPECT_EQ(received, 90U);
    std::string caught;
    const auto catch_one = [&]() -> task {
      try {
        static_cast<void>(co_await f.ask(next, 9));
      } catch (const remote_error& e) {
        caught = e.what();
      }
    };
    run_tasks(w, catch_one());
    expect_mentions(caught, {"number 9 is odd"});
    finish(f);
  });
}

TEST_P(remote_results, include_exceptions_of_functions_with_strings) {
  run_on(GetParam().shape, [&](world& w) {
    remote_function f(
        w,
        [](const std::string& text) -> std::string {
          if (text.empty()) throw std::invalid_argument("an empty text");
          return text + text;
        },
        options());
    const session scope = f.begin(ending());
    expect_mentions(thrown_by<remote_error>([&] { (void)f.ask(0, "").wait(); }),
                    {"PE 0", "an empty text"});
    EXPECT_EQ(f.ask(0, "ab").wait(), "abab");
    finish(f);
  });
}

// Results that nobody wants are discarded, and their tickets are used again.
TEST_P(remote_results, may_be_dropped) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    const int next = (w.rank() + 1) % w.size();
    for (int round = 0; round < 50; ++round) {
      {
        const auto dropped = f.ask(next, round);
      }
      auto moved = f.ask(next, round);
      auto kept = std::move(moved);
      moved = f.ask(next, round + 1);
      EXPECT_EQ(kept.wait(), 3 * round + next);
      EXPECT_EQ(moved.wait(), 3 * round + 3 + next);
    }
    // A coroutine that is destroyed while it waits.
    std::int64_t sum = 0;
    {
      const auto fail = []() -> task {
        throw std::runtime_error("ends all tasks");
        co_return;
      };
      std::vector<task> tasks;
      for (int i = 0; i < 20; ++i) tasks.push_back(add_up(f, w.size(), i, 1000, sum));
      tasks.push_back(fail());
      EXPECT_THROW(run_tasks(w, std::move(tasks)), std::runtime_error);
    }
    EXPECT_EQ(resume_coroutines(), 0U);
    EXPECT_EQ(f.ask(next, 1).wait(), 3 + next);
    finish(f);
  });
}

// A PE that waits in a loop of `poll`, or in a barrier, replies at once.
TEST_P(remote_results, come_while_pes_wait_elsewhere) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    const session scope = f.begin(ending());
    if (w.rank() == 0) {
      for (int pe = 0; pe < w.size(); ++pe) EXPECT_EQ(f.ask(pe, 1).wait(), 3 + pe);
    } else if (w.rank() % 2 == 1) {
      while (here.runs == 0) f.poll();
    }
    w.barrier();
    finish(f);
    EXPECT_EQ(here.runs, 1);
  });
}

TEST_P(remote_results, come_within_a_bound_of_held_items) {
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function_options o = options();
    o.calls.look_ahead = 64;
    remote_function f(w, here, triple, o);
    const session scope = f.begin(ending());
    std::vector<int> pes;
    std::vector<std::int64_t> numbers;
    for (int i = 0; i < asks(); ++i) {
      pes.push_back(i * 7 % w.size());
      numbers.push_back(i);
    }
    const std::vector<std::int64_t> results = f.ask_all(pes, numbers);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i], 3 * numbers[i] + pes[i]) << i;
    }
    finish(f);
  });
}

// Functions and receivers may ask, but not wait.
TEST_P(remote_results, may_be_asked_for_by_functions) {
  if (GetParam().ending != termination_kind::quiescence) GTEST_SKIP() << "functions ask";
  run_on(GetParam().shape, [&](world& w) {
    place here{w.rank()};
    remote_function f(w, here, triple, options());
    struct asker {
      decltype(f)* to;
      int pes;
      std::vector<remote_result<std::int64_t>> results{};
    };
    asker state{&f, w.size()};
    remote_function start(
        w, state,
        [](asker& a, int n) {
          a.results.push_back(a.to->ask(n % a.pes, n));
          EXPECT_THROW((void)a.results.back().wait(), contract_error);
          EXPECT_THROW(a.to->ask_all([](auto&) {}, [](std::size_t, std::int64_t) {}),
                       contract_error);
          a.to->flush();
        },
        options());
    const session a = f.begin(ending());
    const session b = start.begin(ending());
    for (int i = 0; i < 40; ++i) start((w.rank() + i) % w.size(), i);
    start.finish();
    f.finish();
    EXPECT_EQ(w.reduce(state.results.size()), 40U * static_cast<std::size_t>(w.size()));
    for (auto& result : state.results) {
      ASSERT_TRUE(result.is_ready());
      const std::int64_t value = result.wait();
      EXPECT_GE(value, 0);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(collections, remote_results,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::remote_result_test
