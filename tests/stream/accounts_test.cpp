// Tests of the statistics and explanations of streams, of the bytes that travel with an item, and
// of the number of copies of an item.
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>

#include "model/buffer_size.hpp"
#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::accounts_test {
namespace {

// Metadata: a destination of 4 bytes on inner hops, none on the last.
TEST(metadata, is_four_bytes_on_inner_hops_and_none_on_the_last) {
  run_on({substrate_kind::threads, 8, 1}, [](world& w) {
    int arrived = 0;
    stream<std::uint64_t> s(w, [&](std::uint64_t) { ++arrived; },
                            {.way = route::grid(8, {2, 2, 2}), .buffer_bytes = 1200});
    const session scope = s.begin(staged(1));
    // The three coordinates of source and destination all differ: three hops.
    for (int i = 0; i < 1000; ++i) s.send(1, 7 - w.rank());
    s.done();
    s.finish();
    const auto stages = s.session_statistics().stages;
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_EQ(stages[0].bytes(), 1000U * (8 + 4));
    EXPECT_EQ(stages[1].bytes(), 1000U * (8 + 4));
    EXPECT_EQ(stages[2].bytes(), 1000U * 8);
    EXPECT_EQ(stages[0].buffers(), 10U);  // full buffers: 100 items with their tags each
    EXPECT_EQ(arrived, 1000);
    EXPECT_EQ(s.session_statistics().forwarded, 2000U);
  });
}

// The handler gets a reference to the item in the buffer: 8 or 12 bytes behind the item before.
TEST(copies, are_not_made_at_delivery) {
  for (const bool several_stages : {false, true}) {
    run_on({substrate_kind::threads, 4, 1}, [&](world& w) {
      std::vector<const std::uint64_t*> places;
      stream<std::uint64_t> s(w, [&](const std::uint64_t& item) { places.push_back(&item); },
                              {.way = several_stages ? route::grid(4, {2, 2}) : route::direct(4),
                               .buffer_bytes = 1 << 12});
      const session scope = s.begin(staged(1));
      // Along the first dimension of the route: an inner hop, if there are several.
      for (std::uint64_t i = 0; i < 200; ++i) s.send(i, w.rank() ^ 1);
      s.done();
      s.finish();
      ASSERT_EQ(places.size(), 200U);
      for (std::size_t i = 1; i < places.size(); ++i) ASSERT_EQ(places[i], places[i - 1] + 1);
    });
  }
}

TEST(copies, are_one_per_hop) {
  // An item that counts its copies cannot travel; but the items of every stage are counted.
  run_on({substrate_kind::threads, 8, 1}, [](world& w) {
    stream<std::uint64_t> s(w, [](std::uint64_t) {}, {.way = route::grid(8, {2, 2, 2})});
    const session scope = s.begin(staged(1));
    for (int pe = 0; pe < 8; ++pe) s.send(1, pe);
    s.done();
    s.finish();
    const stream_statistics did = s.session_statistics();
    std::uint64_t carried = 0;
    carried += did.stages[0].bytes() / 12 + did.stages[1].bytes() / 12 + did.stages[2].bytes() / 8;
    // The hops are 0, 1, 1, 1, 2, 2, 2, 3; items of a PE to itself pass through a buffer, too.
    EXPECT_EQ(w.reduce(carried), 8U * (12 + 1));
    EXPECT_EQ(did.sent + did.forwarded, carried);
  });
}

TEST(statistics, count_links_that_were_used) {
  run_on({substrate_kind::threads, 8, 1}, [](world& w) {
    stream<int> s(w, [](int) {}, {.way = route::direct(8)});
    EXPECT_EQ(s.session_statistics().links_used, 0U);
    {
      const session scope = s.begin();
      for (int i = 0; i < 100; ++i) s.send(i, (w.rank() + i % 3) % 8);
      s.finish();
    }
    EXPECT_EQ(s.session_statistics().links, 8U);
    EXPECT_EQ(s.session_statistics().links_used, 3U);
    std::ostringstream text;
    text << s.session_statistics();
    expect_mentions(text.str(), {"100 sent", "100 handled", "3 of 8 links used", "stage 0"});
  });
}

// The resident bytes of the process in shared memory.
std::size_t resident_shared_bytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("RssShmem:", 0) == 0) return std::stoul(line.substr(9)) * 1024;
  }
  return 0;
}

// Buffers of unused links take no memory.
TEST(memory, comes_with_the_links_that_are_used) {
  constexpr std::size_t buffer = std::size_t{1} << 20;
  constexpr int pes = 16;
  run_on({substrate_kind::processes, pes, 1}, [](world& w) {
    const std::size_t before = resident_shared_bytes();
    stream<std::uint64_t> s(w, [](std::uint64_t) {},
                            {.way = route::direct(pes), .buffer_bytes = buffer});
    const session scope = s.begin();
    for (std::size_t i = 0; i < 3 * buffer / sizeof i; ++i) s.send(i, (w.rank() + 1) % pes);
    s.finish();
    const std::size_t taken = resident_shared_bytes() - before;
    // Each link has two buffers; this PE fills the buffers of one link, and reads the buffers of
    // another.
    EXPECT_GE(taken, 2 * buffer);
    EXPECT_LE(taken, 5 * buffer);
    EXPECT_GE(s.session_statistics().memory_bytes, 2 * pes * buffer);
  });
}

TEST(explain, tells_route_and_reasons) {
  run_on({substrate_kind::threads, 4, 2}, [](world& w) {
    stream<int> chosen(w, [](int) {});
    expect_mentions(chosen.explain(),
                    {"4 PEs", "hops: the fewest whose buffers fit in", "buffers: 2 of"});
    stream<int> given(w, [](int) {},
                      {.way = route::grid(4, {2, 2}),
                       .buffer_bytes = 64,
                       .look_ahead = 10,
                       .flush_after = std::chrono::microseconds(3)});
    expect_mentions(given.explain(),
                    {"grid 2 x 2", "as asked for", "2 of 64 bytes", "at most 10 items", "3000 ns"});
  });
}

// On a given route, buffers have the size of the buffers of a conveyor on the route. Here the
// number of links differs between PEs: 4 at most, and the link to itself.
TEST(explain, tells_why_buffers_have_their_size) {
  run_on({substrate_kind::threads, 8, 2}, [](world& w) {
    const auto [bytes, why] =
        detail::choose_buffer_size(5, sizeof(int), detail::place_here(*w.substrate()), true);
    const stream<int> s(w, [](int) {}, {.way = route::teams(8, {2, 4})});
    expect_mentions(s.explain(), {why, "2 of " + std::to_string(bytes) + " bytes"});
  });
}

// By default buffers have the size of a conveyor's buffers, also for one PE.
TEST(explain, tells_of_buffers_as_large_as_those_of_a_conveyor) {
  for (const auto& [pes, nodes] : {std::pair{1, 1}, {2, 1}, {4, 2}, {8, 1}}) {
    run_on({substrate_kind::threads, pes, nodes}, [](world& w) {
      const stream<std::uint64_t> s(w, [](std::uint64_t) {});
      const conveyor<std::uint64_t> c(w);
      expect_mentions(s.explain(), {"2 of " + std::to_string(c.buffer_bytes()) + " bytes"});
    });
  }
}

// Items of handlers that find no buffer are counted. There is one PE, with two buffers of two
// items: no item leaves them while the first handlers run.
TEST(statistics, count_what_handlers_had_to_hold_back) {
  run_on({substrate_kind::threads, 1, 1}, [](world& w) {
    int arrived = 0;
    std::optional<stream<std::uint64_t>> s;
    s.emplace(
        w,
        [&](std::uint64_t children) {
          ++arrived;
          for (std::uint64_t i = 0; i < children; ++i) s->send(0, 0);
        },
        stream_options{.buffer_bytes = 16});
    const session scope = s->begin();
    s->send(1000, 0);
    s->finish();
    EXPECT_EQ(arrived, 1001);
    EXPECT_GE(s->session_statistics().held_back, 1000U - 4);
    EXPECT_EQ(s->session_statistics().sent, 1001U);
  });
}

TEST(moved_stream, goes_on) {
  run_on({substrate_kind::threads, 3, 1}, [](world& w) {
    int arrived = 0;
    stream<int> first(w, [&](int) { ++arrived; });
    std::optional<stream<int>> second;  // the stream outlives the scope of the session
    const session scope = first.begin();
    first.send(1, 0);
    second.emplace(std::move(first));
    second->send(2, 0);
    second->finish();
    EXPECT_EQ(arrived, w.rank() == 0 ? 6 : 0);
  });
}

}  // namespace
}  // namespace boxcar::test::accounts_test
