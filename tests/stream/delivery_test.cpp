// Tests of delivery: everything arrives once and in order, over every route and with every
// termination.
#include <gtest/gtest.h>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::delivery_test {
namespace {

class delivery : public testing::TestWithParam<stream_setup> {
 protected:
  // Each PE calls `produce(send)`, and `send(pe)` in it.
  template <typename Produce>
  void check(const Produce& produce) {
    sent_items sent(GetParam().shape.pes);
    run_on(GetParam().shape, [&](world& w) {
      arrived_at here(w.size(), w.rank());
      stream<numbered_item> s(
          w, [&](const numbered_item& item) { here.take(item); }, GetParam().options());
      const session scope = s.begin(GetParam().one_producer_each());
      const auto send = [&](int to) { s.send(sent.next(w.rank(), to), to); };
      produce(w, s, send);
      if (GetParam().ending != termination_kind::quiescence) s.done();
      s.finish();
      here.expect_all(sent);
      EXPECT_FALSE(s.on());
    });
  }

  [[nodiscard]] int items() const { return GetParam().shape.pes > 32 ? 200 : 2000; }
};

TEST_P(delivery, of_random_items) {
  check([&](world& w, auto&, const auto& send) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    const int count = d.below(items());
    for (int i = 0; i < count; ++i) send(d.below(w.size()));
  });
}

TEST_P(delivery, of_nothing) {
  check([](world&, auto&, const auto&) {});
}

TEST_P(delivery, from_one_to_all) {
  check([&](world& w, auto&, const auto& send) {
    for (int i = 0; i < items() && w.rank() == w.size() - 1; ++i) send(i % w.size());
  });
}

TEST_P(delivery, from_all_to_one) {
  check([&](world& w, auto&, const auto& send) {
    for (int i = 0; i < items(); ++i) send(w.size() / 2);
  });
}

// A PE whose buffer to itself is full must go on.
TEST_P(delivery, to_oneself) {
  check([&](world& w, auto&, const auto& send) {
    for (int i = 0; i < items(); ++i) send(w.rank());
  });
}

TEST_P(delivery, with_flushes_and_polls_between) {
  check([&](world& w, auto& s, const auto& send) {
    dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
    for (int i = 0; i < items() / 10; ++i) {
      send(d.below(w.size()));
      if (d.chance(20)) s.flush();
      if (d.chance(20)) {
        EXPECT_TRUE(s.poll());
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(streams, delivery,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});
INSTANTIATE_TEST_SUITE_P(large_worlds, delivery,
                         testing::ValuesIn(varied_stream_setups({{substrate_kind::threads, 64, 8},
                                                                 {substrate_kind::processes, 64,
                                                                  1}})),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::delivery_test
