// Tests of the promises of counters, on every substrate and for both ways to manage them: data
// arrive before their count, and no count is lost.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>

#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::counter_test {
namespace {

using number = std::uint64_t;

struct counting {
  counts what;
  managed_by managed;
};

std::string name_of(const counting& c) {
  return std::string(c.what == counts::bytes ? "bytes" : "messages") +
         (c.managed == managed_by::sender ? "_by_sender" : "_by_receiver");
}

std::vector<counting> all_ways() {
  using enum counts;
  return {{messages, managed_by::receiver},
          {messages, managed_by::sender},
          {bytes, managed_by::receiver},
          {bytes, managed_by::sender}};
}

class counters : public testing::TestWithParam<shaped<counting>> {
 protected:
  static void on_all(const std::function<void(world&)>& body) { run_on(GetParam().shape, body); }
  static counter make(const world& w) {
    return counter(w, {.what = GetParam().detail.what, .managed = GetParam().detail.managed});
  }
  // The count of `messages` messages with `bytes` bytes in all.
  static std::int64_t worth(std::int64_t messages, std::size_t bytes) {
    return GetParam().detail.what == counts::bytes ? static_cast<std::int64_t>(bytes) : messages;
  }
  static int next(const world& w) { return (w.rank() + 1) % w.size(); }
  static int before(const world& w) { return (w.rank() + w.size() - 1) % w.size(); }
};

// Sizes below a message, of one message, and of many. Data arrive before their count.
TEST_P(counters, show_data_that_are_there) {
  on_all([](world& w) {
    counter here = make(w);
    counter back = make(w);
    window<number> data(w, 3000);
    std::int64_t expected = 0;
    std::int64_t taken = 0;
    dice d(17);
    for (number round = 1; round <= 60; ++round) {
      const std::size_t length =
          round % 10 == 0 ? 3000 : static_cast<std::size_t>(d.below(500)) + 1;
      const std::vector<number> values(length, round);
      data.put(values, next(w), 0, here);
      // All PEs throw the same dice.
      expected += worth(1, length * sizeof(number));
      here.wait(expected);
      for (const number n : data.local().first(length)) ASSERT_EQ(n, round);
      back.add(before(w));
      back.wait(++taken);
    }
    EXPECT_EQ(here.value(), expected);
  });
}

TEST_P(counters, lose_nothing_of_many_senders) {
  on_all([](world& w) {
    constexpr int each = 50;
    counter c = make(w);
    window<number> data(w, static_cast<std::size_t>(w.size()));
    for (int i = 1; i <= each; ++i) {
      for (int pe = 0; pe < w.size(); ++pe) {
        data.put(static_cast<number>(i), pe, static_cast<std::size_t>(w.rank()), c);
      }
    }
    const std::int64_t all = worth(std::int64_t{each} * w.size(),
                                   static_cast<std::size_t>(each * w.size()) * sizeof(number));
    c.wait(all);
    EXPECT_EQ(c.value(), all);
    w.barrier();
    // Counted operations of one PE to another have no order, but by now all have come.
    for (const number n : data.local()) EXPECT_EQ(n, static_cast<number>(each));
    w.barrier();
  });
}

TEST_P(counters, count_puts_of_nothing) {
  on_all([](world& w) {
    counter c = make(w);
    window<number> data(w, 0);
    for (int pe = 0; pe < w.size(); ++pe) data.put(std::span<const number>(), pe, 0, c);
    c.wait(worth(w.size(), 0));
    w.barrier();
    data.flush();
    w.barrier();
    EXPECT_EQ(c.value(), worth(w.size(), 0));
    w.barrier();
  });
}

TEST_P(counters, are_set_by_their_owner) {
  on_all([](world& w) {
    counter c = make(w);
    EXPECT_EQ(c.value(), 0);
    w.barrier();
    for (std::int64_t round = 0; round < 20; ++round) {
      c.add(next(w), 7);
      c.wait(7);
      c.set(0);
      EXPECT_FALSE(c.test(1));
      w.barrier();
    }
    c.set(100);
    c.wait(100);
    c.wait(3);  // the count is higher already
    EXPECT_TRUE(c.test(100));
    EXPECT_FALSE(c.test(101));
  });
}

// A PE that only tests sees the count as well.
TEST_P(counters, are_tested) {
  on_all([](world& w) {
    counter c = make(w);
    window<number> data(w, 1);
    data.put(5, next(w), 0, c);
    while (!c.test(1)) {
    }
    EXPECT_EQ(data.local()[0], 5U);
    w.barrier();
    data.put(6, next(w), 0, c);
    while (c.value() < worth(2, 2 * sizeof(number))) {
    }
    EXPECT_EQ(data.local()[0], 6U);
  });
}

// A PE is delayed at random moments; the chain goes on.
TEST_P(counters, carry_on_a_chain) {
  on_all([](world& w) {
    constexpr int rounds = 20;
    counter c = make(w);
    window<number> data(w, 1);
    dice d(static_cast<std::uint64_t>(w.rank()) + 1);
    for (int round = 1; round <= rounds; ++round) {
      if (w.rank() != 0 || round > 1) {
        const int come = w.rank() == 0 ? round - 1 : round;
        c.wait(worth(come, static_cast<std::size_t>(come) * sizeof(number)));
      }
      const number value = w.rank() == 0 && round == 1 ? 1 : data.local()[0] + 1;
      if (d.below(8) == 0) w.sleep(std::chrono::microseconds(d.below(500)));
      if (w.rank() == w.size() - 1 && round == rounds) {
        EXPECT_EQ(value, static_cast<number>(rounds) * static_cast<number>(w.size()));
        break;
      }
      data.put(value, next(w), 0, c);
    }
  });
}

TEST_P(counters, live_side_by_side_in_parts_of_the_world) {
  on_all([](world& w) {
    auto part = w.split(w.rank() % 2);
    std::vector<counter> all;
    for (int i = 0; i < 5; ++i) {
      all.push_back(make(w));
      all.push_back(make(*part));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int pes = i % 2 == 0 ? w.size() : part->size();
      for (int pe = 0; pe < pes; ++pe) all[i].add(pe, static_cast<std::int64_t>(i));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t sum =
          static_cast<std::int64_t>(i) * (i % 2 == 0 ? w.size() : part->size());
      all[i].wait(sum);
      EXPECT_EQ(all[i].value(), sum);
    }
    w.barrier();
  });
}

TEST_P(counters, stay_at_the_largest_number) {
  on_all([](world& w) {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    counter c = make(w);
    counter done = make(w);
    c.set(largest - 1);
    w.barrier();
    c.add(next(w), 1);
    c.wait(largest);
    EXPECT_EQ(c.value(), largest);
    w.barrier();
    for (const std::int64_t n : {std::int64_t{1}, largest, std::int64_t{1} << 32, largest}) {
      c.add(next(w), n);
    }
    done.add(next(w));  // which comes behind the puts
    done.wait(1);
    EXPECT_EQ(c.value(), largest);
    EXPECT_TRUE(c.test(largest));
    w.barrier();
    c.set(7);
    EXPECT_EQ(c.value(), 7);
    w.barrier();
  });
}

TEST_P(counters, refuse_what_cannot_work) {
  on_all([](world& w) {
    counter c = make(w);
    expect_mentions(thrown_by<argument_error>([&] { c.wait(-1); }), {"wait", "-1", "at least 0"});
    expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(c.test(-2)); }), {"-2"});
    expect_mentions(thrown_by<argument_error>([&] { c.set(-3); }), {"-3"});
    expect_mentions(thrown_by<argument_error>([&] { c.add(0, -4); }), {"-4"});
    expect_mentions(thrown_by<argument_error>([&] { c.add(w.size()); }),
                    {"no PE " + std::to_string(w.size())});
    expect_mentions(thrown_by<argument_error>([&] { c.add(-1); }), {"no PE -1"});
    w.barrier();
    EXPECT_EQ(c.value(), 0);

    auto part = w.split(0);
    window<number> of_part(*part, 1);
    expect_mentions(thrown_by<argument_error>([&] { of_part.put(1, 0, 0, c); }),
                    {"counter", "another world"});
    const counter other(std::move(c));
    expect_mentions(thrown_by<contract_error>([&] { c.wait(1); }),  // NOLINT
                    {"wait", "moved from"});
  });
}

INSTANTIATE_TEST_SUITE_P(one_sided, counters,
                         testing::ValuesIn(on_shapes(several_shapes(), all_ways())), by_name{});

TEST(counter_options, must_be_alike) {
  const auto report = observe({substrate_kind::threads, 3, 1}, [](world& w) {
    const counter c(w, {.what = w.rank() == 2 ? counts::bytes : counts::messages});
  });
  for (const auto& pe : report.pes) {
    EXPECT_EQ(pe.end, ending::argument_error);
    expect_mentions(pe.what, {"a counter's what", "bytes", "PE 2"});
  }
}

}  // namespace
}  // namespace boxcar::test::counter_test
