// Tests of moved elastic conveyors: the new conveyor continues the session of the old, and the old
// rejects every use.
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>

#include "elastic/elastic_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::moved_elastic_test {
namespace {

constexpr std::size_t monster = 3000;

class moved_elastic : public testing::TestWithParam<elastic_setup> {
 protected:
  // An empty item, a small item and a monster to each PE.
  static void run_session(elastic_conveyor& c, int pes) {
    const session s = c.begin();
    const std::vector<std::byte> bytes(monster);
    const std::size_t sizes[] = {0, 5, monster};
    int left = 3 * pes;
    int arrived = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(std::span(bytes).first(sizes[left % 3]), left % pes)) --left;
      while (c.pull()) ++arrived;
    }
    EXPECT_EQ(arrived, 3 * pes);
  }
};

TEST_P(moved_elastic, works) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor first(w, monster, GetParam().options);
    run_session(first, w.size());
    elastic_conveyor second(std::move(first));
    run_session(second, w.size());
    elastic_conveyor third(w, monster, GetParam().options);
    third = std::move(second);
    run_session(third, w.size());
    EXPECT_EQ(third.total_statistics().begins, 3U);
  });
}

TEST_P(moved_elastic, leaves_nothing_behind) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor first(w, monster, GetParam().options);
    const elastic_conveyor second(std::move(first));
    const std::vector<std::byte> large(monster);
    const auto refused = [](const auto& use) {
      expect_mentions(thrown_by<contract_error>(use), {"moved"});
    };
    // NOLINTBEGIN(bugprone-use-after-move): the test uses moved-from conveyors
    refused([&] { const session s = first.begin(); });
    refused([&] { return first.push("text", 0); });
    refused([&] { return first.push(large, 0); });
    refused([&] { return first.pull(); });
    refused([&] { return first.unpull(); });
    refused([&] { first.advance(true); });
    refused([&] { first.reset(); });
    refused([&] { static_cast<void>(first.state()); });
    // NOLINTEND(bugprone-use-after-move)
  });
}

// The move happens with a monster in flight, and a part of a buffer read.
TEST_P(moved_elastic, takes_what_it_carries_along) {
  run_on(GetParam().shape, [](world& w) {
    elastic_conveyor first(w, monster, GetParam().options);
    run_session(first, w.size());
    const std::vector<std::byte> large(monster, std::byte{7});
    const session s = first.begin();
    const auto push_surely = [&](std::span<const std::byte> item) {
      while (!first.push(item, w.rank())) first.advance(false);
    };
    push_surely({});
    push_surely(large);
    push_surely(std::span(large).first(9));
    std::optional<elastic_item> item;
    while (!(item = first.pull())) first.advance(false);
    EXPECT_EQ(item->bytes.size(), 0U);

    elastic_conveyor second(std::move(first));
    while (!(item = second.pull())) second.advance(false);
    EXPECT_EQ(item->bytes.size(), monster);
    EXPECT_TRUE(second.unpull());

    elastic_conveyor third(std::move(second));
    std::vector<std::size_t> arrived;
    while (third.advance(true)) {
      while ((item = third.pull())) {
        arrived.push_back(item->bytes.size());
        EXPECT_EQ(item->bytes.back(), std::byte{7});
      }
    }
    EXPECT_EQ(arrived, (std::vector<std::size_t>{monster, 9}));
    third.reset();
    EXPECT_EQ(third.state(), conveyor_state::dormant);
  });
}

TEST_P(moved_elastic, is_followed_by_the_scope_of_its_session) {
  run_on(GetParam().shape, [](world& w) {
    std::vector<elastic_conveyor> several;
    several.emplace_back(w, monster, GetParam().options);
    {
      const session s = several.front().begin();
      several.emplace_back(w, monster, GetParam().options);  // moves the first conveyor
      while (several.front().advance(true)) {
      }
    }
    EXPECT_EQ(several.front().state(), conveyor_state::dormant);
    run_session(several.front(), w.size());
  });
}

TEST_P(moved_elastic, is_not_assigned_over_in_a_session) {
  if (GetParam().shape.pes < 2) return;
  const world_report report = observe(GetParam().shape, [](world& w) {
    elastic_conveyor c(w, monster, GetParam().options);
    elastic_conveyor other(w, monster, GetParam().options);
    const session s = c.begin();
    if (w.rank() == 0) {
      const auto text = thrown_by<contract_error>([&] { c = std::move(other); });
      expect_mentions(text, {"assigned over"});
      throw contract_error(text);
    }
    while (c.advance(true)) {
    }
  });
  EXPECT_TRUE(report.failed);
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    if (report.pes[pe].end == ending::unknown) continue;
    EXPECT_EQ(report.pes[pe].end, ending::world_error) << report.pes[pe].what;
    expect_mentions(report.pes[pe].what, {"PE 0", "assigned over"});
  }
}

INSTANTIATE_TEST_SUITE_P(elastic, moved_elastic,
                         testing::ValuesIn(plain_elastic_setups(small_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::moved_elastic_test
