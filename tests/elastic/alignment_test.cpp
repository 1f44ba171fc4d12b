// Tests of the alignment of pulled items, and that a pulled item stays in place until the next
// pull, whatever else happens.
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include <boxcar/error.hpp>

#include "elastic/checked_elastic.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::alignment_test {
namespace {

constexpr std::size_t monster = 5003;

class alignment : public testing::TestWithParam<elastic_setup> {
 protected:
  void in_session(const std::function<void(checked_elastic&)>& body) {
    ledger book(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      checked_elastic c(w, monster, GetParam().options, book,
                        {0, 1, 3, 4, 5, 8, 12, 31, 64, monster, monster - 1});
      c.in_session([&] { body(c); });
    });
  }
};

TEST_P(alignment, is_as_asked_for) {
  in_session([](checked_elastic& c) {
    int left = 60 * c.size();
    unsigned power = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      while (c.pull(std::size_t{1} << power)) power = (power + 1) % 7;
    }
  });
}

// One item is checked for as long as other items can be pushed and moved on.
TEST_P(alignment, does_not_keep_an_item_from_staying_in_place) {
  in_session([](checked_elastic& c) {
    int left = 40 * c.size();
    unsigned power = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left % c.size())) --left;
      if (!c.pull(std::size_t{1} << power)) continue;
      power = (power + 1) % 7;
      for (int i = 0; i < 5; ++i) {
        while (left > 0 && c.push(left % c.size())) --left;
        c.advance(left == 0);
      }
    }
  });
}

// Packets are made of words, and monsters lie as pages do.
TEST_P(alignment, of_a_word_takes_no_copy) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor c(w, monster, GetParam().options);
    const session s = c.begin();
    const std::vector<std::byte> bytes(monster);
    std::size_t left = 50;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(std::span(bytes).first(left % 7 == 0 ? monster : left), 0)) --left;
      while (const std::optional<elastic_item> in_place = c.pull()) {
        ASSERT_TRUE(c.unpull());
        const std::optional<elastic_item> again =
            c.pull(in_place->bytes.size() == monster ? 64 : 4);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->bytes.data(), in_place->bytes.data());
      }
    }
  });
}

TEST_P(alignment, that_cannot_be_takes_no_item) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor c(w, monster, GetParam().options);
    const session s = c.begin();
    int left = 1;
    int pulled = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(std::string_view("text"), w.rank())) --left;
      for (const std::size_t none : {std::size_t{0}, std::size_t{3}, std::size_t{1} << 62}) {
        expect_mentions(thrown_by<argument_error>([&] { static_cast<void>(c.pull(none)); }),
                        {"alignment " + std::to_string(none), "power of two"});
      }
      while (c.pull()) ++pulled;
    }
    EXPECT_EQ(pulled, 1);
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, alignment,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::alignment_test
