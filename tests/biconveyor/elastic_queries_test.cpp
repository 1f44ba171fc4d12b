// Tests of biconveyors with queries and replies of any size: empty, small, and too large for any
// buffer.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/error.hpp>

#include "biconveyor/biconveyor_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/item_content.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test::elastic_queries_test {
namespace {

constexpr std::size_t largest = 40'000;

struct elastic_query_setup {
  world_shape shape;
  conveyor_options options;
};

std::string name_of(const elastic_query_setup& setup) {
  return name_of(setup.shape) + "_h" + std::to_string(setup.options.hops) + "_b" +
         std::to_string(setup.options.buffer_bytes) + "_x" +
         std::to_string(setup.options.buffers_per_link);
}

void PrintTo(const elastic_query_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

std::vector<elastic_query_setup> setups(const std::vector<world_shape>& shapes) {
  std::vector<elastic_query_setup> all;
  for (const world_shape& shape : shapes) {
    for (const int hops : {1, 2, 3}) {
      all.push_back({shape, {.hops = hops, .buffer_bytes = 32, .buffers_per_link = 1}});
      all.push_back({shape, {.hops = hops}});
    }
  }
  return tier_cases(
      std::move(all), [](const auto& s) { return s.options.hops; },
      [](const auto& s) { return s.options.buffer_bytes; });
}

// Queries are random bytes, of some size. Size and bytes of a reply follow from the query and the
// answering PE.
std::vector<std::byte> random_bytes(std::uint64_t seed) {
  dice d(seed);
  std::vector<std::byte> bytes(
      d.pick<std::size_t>({0, 0, 1, 3, 8, 20, 21, 28, 29, 33, 100, 100, largest - 1, largest}));
  if (!bytes.empty()) write_item({.stream = seed}, bytes);
  return bytes;
}

std::vector<std::byte> reply_of(int answerer, std::span<const std::byte> query) {
  std::uint64_t sum = static_cast<std::uint64_t>(answerer);
  for (const std::byte b : query) sum = scramble(sum + static_cast<std::uint64_t>(b) + 1);
  return random_bytes(sum);
}

// The form of replies: written and read in the buffers, or in vectors.
enum class form { in_place, by_vectors };

class elastic_queries : public testing::TestWithParam<elastic_query_setup> {
 protected:
  static session begin(elastic_biconveyor& c, form f, int rank, std::uint64_t& answered) {
    if (f == form::by_vectors) {
      return c.begin(
          [rank, &answered](std::span<const std::byte> query, std::vector<std::byte>& reply) {
            EXPECT_TRUE(reply.empty());
            reply = reply_of(rank, query);
            ++answered;
          });
    }
    return c.begin([rank, &answered](std::span<const std::byte> query, elastic_reply& reply) {
      const std::vector<std::byte> bytes = reply_of(rank, query);
      ++answered;
      if (bytes.empty() && answered % 2 == 0) return;
      // Earlier contents of the reply do not count.
      if (answered % 3 == 0) reply.resize(answered % 5 == 0 ? largest : 3);
      if (answered % 7 == 0) return reply.assign(bytes);
      std::ranges::copy(bytes, reply.resize(bytes.size()).begin());
    });
  }

  static bool pull(elastic_biconveyor& c, form f, std::vector<std::byte>& reply) {
    if (f == form::by_vectors) return c.pull(reply);
    const auto arrived = c.pull();
    if (arrived) reply.assign(arrived->begin(), arrived->end());
    return arrived.has_value();
  }

  static void play(world& w, elastic_biconveyor& c, form f, int questions, std::uint64_t seed) {
    struct question {
      int whom;
      std::vector<std::byte> query;
    };
    dice d(scramble_all({seed, static_cast<std::uint64_t>(w.rank())}));
    std::deque<question> open;
    std::uint64_t answered = 0;
    const session s = begin(c, f, w.rank(), answered);
    int left = questions;
    std::vector<std::byte> reply{std::byte{1}};
    question next{d.below(w.size()), random_bytes(d.next())};
    while (c.advance(left == 0)) {
      for (; left > 0 && c.push(next.query, next.whom); --left) {
        open.push_back(std::move(next));
        next = {d.below(w.size()), random_bytes(d.next())};
      }
      for (int i = d.below(30); i > 0 && pull(c, f, reply); --i) {
        ASSERT_FALSE(open.empty());
        ASSERT_EQ(reply, reply_of(open.front().whom, open.front().query));
        open.pop_front();
      }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(w.reduce(answered), static_cast<std::uint64_t>(questions * w.size()));
    EXPECT_EQ(c.query_statistics().pushes, static_cast<std::uint64_t>(questions));
    EXPECT_EQ(c.reply_statistics().pushes, answered);
    w.barrier();
  }
};

TEST_P(elastic_queries, of_every_size_are_answered_once_and_in_order) {
  const int questions = GetParam().shape.pes > 8 ? 40 : 120;
  run_on(GetParam().shape, [&](world& w) {
    elastic_biconveyor c(w, largest, largest, GetParam().options);
    for (const form f : {form::by_vectors, form::in_place}) {
      play(w, c, f, questions, program_seed(static_cast<std::uint64_t>(f)));
    }
    play(w, c, form::in_place, 0, 0);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, elastic_queries, testing::ValuesIn(setups(several_shapes())),
                         by_name{});

class elastic_biconveyor_ends : public testing::TestWithParam<elastic_query_setup> {};

// The asked PE only advances, and no PE is in the endgame.
TEST_P(elastic_biconveyor_ends, after_steady_progress) {
  shared_array<std::atomic<int>> satisfied(1);
  run_on(GetParam().shape, [&](world& w) {
    elastic_biconveyor c(w, largest, largest, GetParam().options);
    const session s = c.begin([&](std::span<const std::byte> query, std::vector<std::byte>& reply) {
      reply = reply_of(w.rank(), query);
    });
    const int oracle = w.size() - 1;
    const bool asks = w.rank() != oracle || w.size() == 1;
    int left = asks ? 20 : 0;
    int to_come = left;
    std::vector<std::byte> reply;
    while (satisfied[0] < std::max(w.size() - 1, 1)) {
      c.advance(false);
      const auto query = random_bytes(static_cast<std::uint64_t>(left));
      if (left > 0 && left == to_come && c.push(query, oracle)) --left;
      if (c.pull(reply)) {
        EXPECT_EQ(reply, reply_of(oracle, random_bytes(static_cast<std::uint64_t>(to_come))));
        if (--to_come == 0) ++satisfied[0];
      }
    }
    while (c.advance(true)) {
    }
  });
}

TEST_P(elastic_biconveyor_ends, in_cleanup_with_all_replies_there) {
  run_on(GetParam().shape, [](world& w) {
    elastic_biconveyor c(w, largest, largest, GetParam().options);
    const session s = c.begin([&](std::span<const std::byte> query, std::vector<std::byte>& reply) {
      reply = reply_of(w.rank(), query);
    });
    const auto query = [](int number) { return random_bytes(static_cast<std::uint64_t>(number)); };
    constexpr int questions = 100;
    int asked = 0;
    advance_result result = advance_result::ok;
    while (result == advance_result::ok) {
      while (asked < questions && c.push(query(asked), asked % w.size())) ++asked;
      result = c.advance(asked == questions);
    }
    ASSERT_EQ(result, advance_result::near);
    std::vector<std::byte> reply;
    for (int i = 0; i < questions; ++i) {
      ASSERT_TRUE(c.pull(reply));
      ASSERT_EQ(reply, reply_of(i % w.size(), query(i)));
    }
    EXPECT_FALSE(c.pull(reply));
    EXPECT_EQ(c.advance(true), advance_result::done);
  });
}

// A query larger than agreed is the asker's error and does no harm; such a reply fails the world.
TEST_P(elastic_biconveyor_ends, well_after_a_query_that_is_too_large) {
  run_on(GetParam().shape, [](world& w) {
    elastic_biconveyor c(w, 1 << 20, 1 << 20, GetParam().options);
    const session s = c.begin([](std::span<const std::byte> query, std::vector<std::byte>& reply) {
      reply.assign(query.begin(), query.end());
    });
    const std::vector<std::byte> large((1 << 20) + 1);
    expect_mentions(thrown_by<argument_error>([&] { return c.push(large, 0); }),
                    {"1048577", "1048576"});
    thrown_by<argument_error>([&] { return c.push({}, w.size()); });
    while (!c.push({}, 0)) c.advance(false);
    int replies = 0;
    std::vector<std::byte> reply;
    while (c.advance(true)) {
      while (c.pull(reply)) ++replies;
    }
    EXPECT_EQ(replies, 1);
  });
}

TEST_P(elastic_biconveyor_ends, badly_after_a_reply_that_is_too_large) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    elastic_biconveyor c(w, 1 << 20, 1 << 20, GetParam().options);
    const session s = c.begin(
        [](std::span<const std::byte>, elastic_reply& reply) { reply.resize((1 << 20) + 1); });
    EXPECT_TRUE(c.push({}, 0));
    std::vector<std::byte> reply;
    while (c.advance(true)) {
      while (c.pull(reply)) {
      }
    }
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::argument_error);
  expect_mentions(report.pes[0].what, {"1048577", "1048576"});
}

TEST_P(elastic_biconveyor_ends, badly_after_an_answer_that_throws) {
  const world_report report = observe(GetParam().shape, [](world& w) {
    elastic_biconveyor c(w, largest, largest, GetParam().options);
    const session s = c.begin([&](std::span<const std::byte>, std::vector<std::byte>&) {
      if (w.rank() == 0) throw std::runtime_error("no answer");
    });
    EXPECT_TRUE(c.push({}, 0));
    std::vector<std::byte> reply;
    while (c.advance(true)) {
      while (c.pull(reply)) {
      }
    }
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::other_exception);
  EXPECT_EQ(report.pes[0].what, "no answer");
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end != ending::unknown) {
      EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    }
  }
}

TEST_P(elastic_biconveyor_ends, before_it_has_begun) {
  run_on(GetParam().shape, [](world& w) {
    elastic_biconveyor c(w, largest, largest, GetParam().options);
    std::vector<std::byte> reply;
    const auto refused = [](const auto& use, const char* state) {
      expect_mentions(thrown_by<contract_error>(use), {state});
    };
    const auto refuse_while_not_working = [&](const char* state) {
      refused([&] { return c.push({}, 0); }, state);
      refused([&] { return c.push(std::vector<std::byte>(2 * largest), 0); }, state);
    };
    refuse_while_not_working("dormant");
    refused([&] { return c.pull(reply); }, "dormant");
    refused([&] { c.advance(true); }, "dormant");
    {
      const auto echo = [](std::span<const std::byte>, std::vector<std::byte>&) {};
      const session s = c.begin(echo);
      refused([&] { const session again = c.begin(echo); }, "working");
      refused([&] { c.reset(); }, "working");
      while (c.advance(true)) {
      }
      refuse_while_not_working("complete");
      EXPECT_FALSE(c.pull(reply));
    }
    EXPECT_EQ(c.state(), conveyor_state::dormant);
  });
}

INSTANTIATE_TEST_SUITE_P(biconveyor, elastic_biconveyor_ends,
                         testing::ValuesIn(setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::elastic_queries_test
