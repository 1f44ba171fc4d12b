// Broadcasts come to every PE once, over every route, alone and among other items.
#include <gtest/gtest.h>
#include <vector>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::broadcast_test {
namespace {

class broadcasts : public testing::TestWithParam<stream_setup> {};

struct announcement {
  std::int32_t from;
  std::uint32_t number;
  bool to_all;
};

TEST_P(broadcasts, come_to_every_pe_once) {
  constexpr std::uint32_t count = 60;
  run_on(GetParam().shape, [&](world& w) {
    std::vector<std::vector<int>> heard(static_cast<std::size_t>(w.size()),
                                        std::vector<int>(count));
    int others = 0;
    stream<announcement> s(
        w,
        [&](const announcement& a) {
          if (a.to_all) {
            ++heard[static_cast<std::size_t>(a.from)][a.number];
          } else {
            ++others;
          }
        },
        GetParam().options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (std::uint32_t i = 0; i < count; ++i) {
      s.broadcast({w.rank(), i, true});
      s.send({w.rank(), i, false}, static_cast<int>(i) % w.size());
    }
    if (GetParam().ending != termination_kind::quiescence) s.done();
    s.finish();
    for (const auto& of_pe : heard) {
      for (const int times : of_pe) ASSERT_EQ(times, 1);
    }
    EXPECT_EQ(w.reduce(others), static_cast<int>(count) * w.size());
  });
}

// The stream of the first PE with the news forwards the news by a broadcast of its own.
TEST_P(broadcasts, may_come_from_handlers) {
  if (GetParam().ending == termination_kind::staged) return;
  run_on(GetParam().shape, [&](world& w) {
    int heard = 0;
    std::optional<stream<announcement>> s;
    s.emplace(
        w,
        [&](const announcement& a) {
          ++heard;
          if (a.number > 0 && a.from == w.rank()) s->broadcast({w.rank(), a.number - 1, true});
        },
        GetParam().options());
    const session scope = s->begin(GetParam().one_producer_each());
    s->broadcast({w.rank(), 5, true});
    if (GetParam().ending == termination_kind::counting) s->done();
    s->finish();
    EXPECT_EQ(heard, 6 * w.size());
  });
}

INSTANTIATE_TEST_SUITE_P(streams, broadcasts,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

// Broadcasts go along the dimensions: a PE sends a broadcast to its own links only.
TEST(broadcast, costs_the_source_one_copy_per_link) {
  run_on({substrate_kind::threads, 16, 1}, [](world& w) {
    int heard = 0;
    stream<int> s(w, [&](int) { ++heard; }, {.way = route::grid(16, {4, 4})});
    const session scope = s.begin();
    if (w.rank() == 5) s.broadcast(1);
    s.finish();
    EXPECT_EQ(heard, 1);
    const stream_statistics did = s.session_statistics();
    EXPECT_EQ(did.sent, w.rank() == 5 ? 7U : 0U);  // 6 links and itself
    const bool passes_on = w.rank() / 4 == 1 && w.rank() != 5;
    EXPECT_EQ(did.forwarded, passes_on ? 3U : 0U) << "PE " << w.rank();
  });
}

}  // namespace
}  // namespace boxcar::test::broadcast_test
