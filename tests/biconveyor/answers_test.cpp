// Tests of the answering function: the time of its calls, its type, and its exceptions.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>

#include <boxcar/biconveyor.hpp>
#include <boxcar/error.hpp>

#include "biconveyor/biconveyor_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::answers_test {
namespace {

class answers : public testing::TestWithParam<biconveyor_setup> {
 protected:
  using number_biconveyor = biconveyor<std::uint64_t, std::uint64_t>;

  // Asks every PE for each number below `count`, and returns the sum of all replies.
  static std::uint64_t ask(number_biconveyor& c, int pes, int count) {
    std::uint64_t sum = 0;
    std::uint64_t reply = 0;
    int left = count * pes;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(static_cast<std::uint64_t>((left - 1) / pes), (left - 1) % pes)) {
        --left;
      }
      while (c.pull(reply)) sum += reply;
    }
    return sum;
  }
};

TEST_P(answers, cannot_advance_the_biconveyor) {
  run_on(GetParam().shape, [](world& w) {
    number_biconveyor c(w, GetParam().options);
    int refused = 0;
    const session s = c.begin([&](std::uint64_t n) {
      for (const bool done : {false, true}) {
        const std::string text = thrown_by<contract_error>([&] { c.advance(done); });
        expect_mentions(text, {"advance", "within a function"});
      }
      expect_mentions(thrown_by<contract_error>([&] { c.reset(); }),
                      {"reset", "within a function"});
      ++refused;
      return n;
    });
    EXPECT_EQ(ask(c, w.size(), 3), 3U * static_cast<unsigned>(w.size()));
    EXPECT_EQ(w.reduce(refused), 3 * w.size() * w.size());
  });
}

TEST_P(answers, are_given_from_within_advance_only) {
  run_on(GetParam().shape, [](world& w) {
    number_biconveyor c(w, GetParam().options);
    bool advancing = false;
    int answered = 0;
    const session s = c.begin([&](std::uint64_t n) {
      EXPECT_TRUE(advancing);
      ++answered;
      return n;
    });
    const auto advance = [&](bool done) {
      advancing = true;
      const advance_result result = c.advance(done);
      advancing = false;
      return result;
    };
    int left = 100;
    std::uint64_t reply = 0;
    while (advance(left == 0)) {
      while (left > 0 && c.push(7, left % w.size())) --left;
      while (c.pull(reply)) EXPECT_EQ(reply, 7U);
    }
    EXPECT_EQ(w.reduce(answered), 100 * w.size());
  });
}

TEST_P(answers, may_change_what_the_function_holds) {
  run_on(GetParam().shape, [](world& w) {
    number_biconveyor c(w, GetParam().options);
    const session s =
        c.begin([count = std::uint64_t{0}](std::uint64_t) mutable { return ++count; });
    const std::uint64_t sum = ask(c, w.size(), 30);
    // Each PE gave the numbers from 1 to 30 times the number of PEs, once each.
    const auto given = static_cast<std::uint64_t>(30 * w.size());
    EXPECT_EQ(w.reduce(sum), static_cast<std::uint64_t>(w.size()) * given * (given + 1) / 2);
  });
}

TEST_P(answers, may_come_from_a_function_that_can_only_be_moved) {
  run_on(GetParam().shape, [](world& w) {
    number_biconveyor c(w, GetParam().options);
    auto factor = std::make_unique<std::uint64_t>(3);
    const session s = c.begin([f = std::move(factor)](const std::uint64_t& n) { return *f * n; });
    EXPECT_EQ(ask(c, w.size(), 10), 3U * 45U * static_cast<unsigned>(w.size()));
  });
}

TEST_P(answers, are_those_of_the_function_of_this_session) {
  run_on(GetParam().shape, [](world& w) {
    number_biconveyor c(w, GetParam().options);
    for (std::uint64_t factor = 1; factor <= 3; ++factor) {
      const session s = c.begin([factor](std::uint64_t n) { return factor * n; });
      EXPECT_EQ(ask(c, w.size(), 10), factor * 45U * static_cast<unsigned>(w.size()));
    }
  });
}

// A result of another type than the reply's is converted.
TEST_P(answers, are_converted_to_replies) {
  run_on(GetParam().shape, [](world& w) {
    biconveyor<int, double> c(w, GetParam().options);
    const session s = c.begin([](int n) { return n / 2; });
    int left = 10;
    double sum = 0;
    double reply = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left, left % w.size())) --left;
      while (c.pull(reply)) sum += reply;
    }
    EXPECT_EQ(sum, 25.0);
  });
}

TEST_P(answers, may_be_as_large_as_items_can_be) {
  struct largest {
    std::array<std::uint64_t, 65536 / sizeof(std::uint64_t)> words;
  };
  run_on(GetParam().shape, [](world& w) {
    conveyor_options options = GetParam().options;
    if (options.buffer_bytes != 0) options.buffer_bytes = sizeof(largest);
    biconveyor<std::uint64_t, largest> c(w, options);
    const session s = c.begin([](std::uint64_t n) {
      largest reply;
      reply.words.fill(n);
      return reply;
    });
    const auto expected = static_cast<std::uint64_t>(3 * w.size());
    std::uint64_t asked = 0;
    std::uint64_t received = 0;
    largest reply;
    while (c.advance(asked == expected)) {
      while (asked < expected && c.push(asked, static_cast<int>(asked) % w.size())) ++asked;
      for (; c.pull(reply); ++received) {
        EXPECT_TRUE(std::ranges::all_of(reply.words, [=](auto word) { return word == received; }));
      }
    }
    EXPECT_EQ(received, expected);
  });
}

// The world fails, and no PE waits for the missing reply.
TEST_P(answers, that_throw_fail_the_world) {
  const int thrower = GetParam().shape.pes - 1;
  const world_report report = observe(GetParam().shape, [&](world& w) {
    number_biconveyor c(w, GetParam().options);
    const session s = c.begin([&](std::uint64_t n) {
      if (n == 17 && w.rank() == thrower) throw std::runtime_error("17 is too much");
      return n;
    });
    ask(c, w.size(), 40);
  });
  EXPECT_TRUE(report.failed);
  for (int pe = 0; pe < GetParam().shape.pes; ++pe) {
    const pe_report& one = report.pes[static_cast<std::size_t>(pe)];
    if (pe == thrower) {
      EXPECT_EQ(one.end, ending::other_exception);
      EXPECT_EQ(one.what, "17 is too much");
    } else if (one.end != ending::unknown) {  // processes may be ended before they notice
      EXPECT_EQ(one.end, ending::world_error) << one.what;
      expect_mentions(one.what, {"PE " + std::to_string(thrower)});
    }
  }
}

// Later replies of the PE would be taken for replies to other queries.
TEST_P(answers, that_throw_fail_the_world_also_if_the_program_goes_on) {
  const int thrower = GetParam().shape.pes - 1;
  const world_report report = observe(GetParam().shape, [&](world& w) {
    number_biconveyor c(w, GetParam().options);
    const session s = c.begin([&](std::uint64_t n) {
      if (n == 17 && w.rank() == thrower) throw std::runtime_error("17 is too much");
      return n;
    });
    for (;;) {
      try {
        ask(c, w.size(), 40);
        return;
      } catch (const std::runtime_error& e) {
        if (e.what() != std::string("17 is too much")) throw;
      }
    }
  });
  EXPECT_TRUE(report.failed);
  for (const pe_report& one : report.pes) {
    if (one.end == ending::unknown) continue;  // processes may be ended before they notice
    EXPECT_EQ(one.end, ending::world_error) << one.what;
    expect_mentions(one.what, {"no reply"});
  }
}

INSTANTIATE_TEST_SUITE_P(biconveyor, answers,
                         testing::ValuesIn(plain_biconveyor_setups(small_shapes())), by_name{});
INSTANTIATE_TEST_SUITE_P(tight_biconveyor, answers,
                         testing::ValuesIn(tight_biconveyor_setups(crowded_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::answers_test
