// Tests of questions to distributed maps: coroutines and waits get the values that a std::map has,
// while visitors and other questions change them.
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/coroutine.hpp>
#include <boxcar/distributed_map.hpp>
#include <boxcar/map_question.hpp>

#include "collections/map_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::map_question_test {
namespace {

class map_questions : public testing::TestWithParam<map_setup> {};

// Each PE owns some of the keys of the program, changes their values, and compares answers with a
// model.
TEST_P(map_questions, get_what_a_model_has) {
  run_on(GetParam().shape, [&](world& w) {
    const map_setup& setup = GetParam();
    distributed_map<std::string, std::string> map(w, setup.options());
    boxcar::map_question get(map, [](const std::string&, std::string& text) { return text; },
                             {.calls = setup.options().messages});
    boxcar::map_question append(map, [](const std::string&, std::string& text, char c) {
      text += c;
      return static_cast<std::int64_t>(text.size());
    });
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    std::map<std::string, std::string> model;
    const auto key_of = [&](int i) { return std::to_string(w.rank()) + ":" + std::to_string(i); };
    for (int round = 0; round != 3; ++round) {
      {
        const session scope = map.begin(setup.one_producer_each());
        for (int i = d.below(20); i > 0; --i) {
          const std::string key = key_of(d.below(20));
          const std::string value(static_cast<std::size_t>(d.below(60)), 'v');
          map.assign(key, value);
          model[key] = value;
        }
        setup.finish(map);
      }
      const session gets = get.begin(setup.one_producer_each());
      const session appends = append.begin(setup.one_producer_each());
      // A coroutine for each key: its questions come one after the other.
      std::vector<task> tasks;
      for (int i = 0; i != 20; ++i) {
        tasks.push_back([](auto& getter, auto& appender, std::string key, auto& values) -> task {
          const auto before = values.find(key);
          const std::optional<std::string> text = co_await getter.ask(key);
          EXPECT_EQ(text.has_value(), before != values.end());
          if (text) {
            EXPECT_EQ(*text, before->second);
          }
          const std::optional<std::int64_t> size = co_await appender.ask(key, 'x');
          EXPECT_EQ(size.has_value(), text.has_value());
          if (!size) co_return;
          before->second += 'x';
          EXPECT_EQ(static_cast<std::size_t>(*size), before->second.size());
        }(get, append, key_of(i), model));
      }
      run_tasks(w, std::move(tasks));
      EXPECT_EQ(get.ask("nobody's").wait(), std::nullopt);
      setup.finish(get);
      setup.finish(append);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(collections, map_questions, testing::ValuesIn(map_setups()), by_name{});

class map_question_use : public testing::TestWithParam<world_shape> {};

// Numbers that are handed out once, of a map that has a session meanwhile, and of a set.
TEST_P(map_question_use, beside_a_session_of_the_map) {
  run_on(GetParam(), [](world& w) {
    distributed_map<int, std::int64_t> next(w);
    const auto add = next.visitor([](const int&, std::int64_t& n, std::int64_t by) { n += by; });
    boxcar::map_question take(next, [](const int&, std::int64_t& n) { return n++; });
    const session all = next.begin();
    const session asks = take.begin();
    next.tell(7, add, 0);
    next.flush();
    std::vector<std::int64_t> numbers;
    while (numbers.size() < 10) {
      // (The first message to the key may still be on its way.)
      if (const auto n = take.ask(7).wait()) numbers.push_back(*n);
      static_cast<void>(next.poll());
    }
    take.finish();
    next.finish();
    std::int64_t sum = 0;
    for (const std::int64_t n : numbers) sum += n;
    const std::int64_t count = 10 * w.size();
    EXPECT_EQ(w.reduce(sum), count * (count - 1) / 2);
  });
}

TEST_P(map_question_use, of_a_set_and_with_exceptions) {
  run_on(GetParam(), [](world& w) {
    distributed_map<int> set(w);
    {
      const session scope = set.begin();
      set.insert(w.rank());
      set.finish();
    }
    boxcar::map_question even(set, [](const int& key) {
      if (key % 2 != 0) throw std::invalid_argument("an odd key");
      return true;
    });
    expect_mentions(thrown_by<contract_error>([&] { static_cast<void>(even.ask(0)); }), {"begin"});
    const session scope = even.begin();
    EXPECT_EQ(even.ask(0).wait(), true);
    EXPECT_EQ(even.ask(w.size()).wait(), std::nullopt);
    if (w.size() > 1) {
      expect_mentions(thrown_by<remote_error>([&] { static_cast<void>(even.ask(1).wait()); }),
                      {"threw: an odd key"});
    }
    even.finish();
  });
}

INSTANTIATE_TEST_SUITE_P(collections, map_question_use, testing::ValuesIn(small_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::map_question_test
