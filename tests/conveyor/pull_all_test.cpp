// Tests of the delivery of all arrivals to a function: the function may push, and do nothing else
// with the conveyor; an exception leaves the later items in place.
#include <gtest/gtest.h>
#include <stdexcept>

#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/conveyor_test.hpp"
#include "support/simple_loops.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::pull_all_test {
namespace {

class pull_all_from : public conveyor_test {};

TEST_P(pull_all_from, hands_out_everything) {
  in_session([&](checked_conveyor& c) {
    int left = items_for(GetParam(), 300);
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      c.pull_all();
      EXPECT_FALSE(c.unpull());
    }
    c.pull_all();
  });
}

TEST_P(pull_all_from, takes_turns_with_pull) {
  in_session([&](checked_conveyor& c) {
    int left = items_for(GetParam(), 300);
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      if (c.pull(pull_way::copy) && left % 2 == 0) c.unpull();
      c.pull_all();
    }
  });
}

TEST_P(pull_all_from, lets_its_function_push) {
  in_session([&](checked_conveyor& c) {
    int left = items_for(GetParam(), 300);
    while (c.advance(left == 0)) {
      if (left > 0 && c.push(left % c.size())) --left;
      c.pull_all([&] {
        if (left > 0 && c.push(left % c.size())) --left;
      });
    }
  });
}

TEST_P(pull_all_from, refuses_all_but_push_to_its_function) {
  in_session([](checked_conveyor& c) {
    push_to_all(c);
    while (c.advance(true)) {
      c.pull_all([&] {
        any_conveyor& plain = c.unchecked();
        const auto refused = [](auto&& action, std::string_view name) {
          expect_mentions(thrown_by<contract_error>(action), {name, "pull_all"});
        };
        int from = 0;
        refused([&] { plain.pull(pull_way::copy, from); }, "pull");
        refused([&] { plain.pull(pull_way::pointer, from); }, "pull");
        refused([&] { plain.pull_all([](pulled_item, int) {}); }, "pull");
        refused([&] { plain.unpull(); }, "unpull");
        refused([&] { plain.advance(true); }, "advance(true)");
        refused([&] { plain.advance(false); }, "advance(false)");
        refused([&] { plain.reset(); }, "reset");
        refused([&] { plain.in_session([] {}); }, "begin");
      });
    }
  });
}

// Every item is pulled once, though the function throws at each.
TEST_P(pull_all_from, keeps_what_comes_after_an_exception) {
  in_session([](checked_conveyor& c) {
    push_to_all(c, 3);
    while (c.advance(true)) {
      for (;;) {
        const std::uint64_t before = c.pulled();
        try {
          c.pull_all([] { throw std::runtime_error("no more"); });
          EXPECT_EQ(c.pulled(), before);
          break;
        } catch (const std::runtime_error&) {
          EXPECT_EQ(c.pulled(), before + 1);
        }
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(contract, pull_all_from,
                         testing::ValuesIn(varied_setups(small_shapes(), is_fixed_size)),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::pull_all_test
