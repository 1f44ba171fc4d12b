// Tests of groups of remote functions: the calls of all functions have one order for each pair of
// PEs.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/remote_function_group.hpp>

#include "stream/stream_setup.hpp"
#include "stream/traffic.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::remote_function_group_test {
namespace {

class remote_function_groups : public testing::TestWithParam<stream_setup> {
 protected:
  [[nodiscard]] static stream_options options() {
    stream_options o = GetParam().options();
    if (o.buffer_bytes != 0) o.buffer_bytes = std::max<std::size_t>(o.buffer_bytes, 64);
    return o;
  }
  static void finish(remote_function_group& g) {
    if (GetParam().ending != termination_kind::quiescence) g.done();
    g.finish();
  }
};

TEST_P(remote_function_groups, keep_one_order) {
  sent_items sent(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    arrived_at here(w.size(), w.rank());
    int signals = 0;
    remote_function_group group(w, options());
    const auto whole =
        group.add(here, [](arrived_at& to, const numbered_item& item) { to.take(item); });
    const auto pieces = group.add(here, [](arrived_at& to, std::int32_t from, std::int32_t at,
                                           std::uint64_t number, std::uint64_t check) {
      to.take({from, at, number, check});
    });
    const auto signal = group.add(signals, [](int& n) { ++n; });
    EXPECT_FALSE(group.on());
    for (int round = 0; round < 2; ++round) {
      const session scope = group.begin(GetParam().one_producer_each());
      dice d(program_seed(static_cast<std::uint64_t>(w.rank())));
      for (int i = 0; i < 500; ++i) {
        const int to = d.below(w.size());
        const numbered_item item = sent.next(w.rank(), to);
        if (d.chance(50)) {
          whole(to, item);
        } else {
          pieces(to, item.from, item.to, item.number, item.check);
        }
      }
      for (int pe = 0; pe < w.size(); ++pe) signal(pe);
      finish(group);
      EXPECT_EQ(signals, (round + 1) * w.size());
      w.barrier();
    }
    here.expect_all(sent);
    EXPECT_EQ(group.session_statistics().sent, 500U + static_cast<std::uint64_t>(w.size()));
  });
}

// A function of a group calls another function of the group.
TEST_P(remote_function_groups, call_each_other) {
  if (GetParam().ending == termination_kind::staged) GTEST_SKIP() << "functions call";
  run_on(GetParam().shape, [&](world& w) {
    struct part {
      const grouped_function<int>* back = nullptr;
      int replies = 0;
    };
    part here;
    remote_function_group group(w, options());
    const auto back = group.add(here, [](part& p, int n) { p.replies += n; });
    const auto there = group.add(here, [](part& p, int from, int n) { (*p.back)(from, n); });
    here.back = &back;
    const session scope = group.begin(GetParam().one_producer_each());
    for (int i = 0; i < 200; ++i) there(i % w.size(), w.rank(), i);
    finish(group);
    EXPECT_EQ(here.replies, 199 * 100);
  });
}

TEST_P(remote_function_groups, refuse_misuse) {
  run_on(GetParam().shape, [&](world& w) {
    remote_function_group empty(w);
    expect_mentions(thrown_by<argument_error>([&] { (void)empty.begin(); }), {"no function"});
    if (w.size() > 1) {
      remote_function_group differing(w);
      if (w.rank() == 1) {
        (void)differing.add([](int) {});
      } else {
        (void)differing.add([](long) {});
      }
      expect_mentions(thrown_by<argument_error>([&] { (void)differing.begin(); }),
                      {"disagree on a group's functions"});
    }
    int runs = 0;
    remote_function_group group(w);
    const auto f = group.add(runs, [](int& n) { ++n; });
    expect_mentions(thrown_by<contract_error>([&] { f(0); }), {"no session"});
    expect_mentions(thrown_by<contract_error>([&] { group.finish(); }), {"no session"});
    {
      const session scope = group.begin();
      expect_mentions(thrown_by<contract_error>([&] { (void)group.add([] {}); }), {"begun"});
      expect_mentions(thrown_by<argument_error>([&] { f(w.size()); }), {"PE"});
      f(w.rank());
      group.finish();
    }
    expect_mentions(thrown_by<contract_error>([&] { f(0); }), {"no session"});
    EXPECT_EQ(runs, 1);
  });
}

INSTANTIATE_TEST_SUITE_P(collections, remote_function_groups,
                         testing::ValuesIn(varied_stream_setups(stream_shapes())), by_name{});

}  // namespace
}  // namespace boxcar::test::remote_function_group_test
