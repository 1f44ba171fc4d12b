// Tests of programs that exceed OpenSHMEM's symmetric heap: 40 MiB, see CMakeLists.txt.
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::symmetric_heap_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Each PE is a node of its own, so that all links lie in the symmetric heap.
world_shape apart() {
  return {substrate_kind::cluster, cluster_pes(), cluster_pes()};
}

void expect_exchange_works(world& w) {
  int arrived = 0;
  exchange<int>(
      w,
      [&w](auto& out) {
        for (int pe = 0; pe < w.size(); ++pe) out.push(pe, pe);
      },
      [&](int) { ++arrived; });
  EXPECT_EQ(arrived, w.size());
}

conveyor_options with_buffers_of(std::size_t bytes) {
  conveyor_options options;
  options.buffer_bytes = bytes;
  return options;
}

TEST(symmetric_heap, too_small_for_a_conveyor_is_told_to_all_and_the_world_goes_on) {
  run_on(apart(), [](world& w) {
    for (int i = 0; i < 3; ++i) {
      const std::string told = thrown_by<system_error>(
          [&w] { const conveyor<int> c(w, with_buffers_of(64 * mebibyte)); });
      expect_mentions(told, {"no room for", "Boxcar holds", "SMA_SYMMETRIC_SIZE=40M",
                             "make it larger by SHMEM_SYMMETRIC_SIZE", "smaller buffers"});
      expect_exchange_works(w);
    }
  });
}

// Without room the PEs execute the accesses as requests.
TEST(symmetric_heap, too_small_for_a_window_is_done_without) {
  run_on(apart(), [](world& w) {
    for (int i = 0; i < 2; ++i) {
      window<long> a(w, 64 * mebibyte / sizeof(long));
      const int next = (w.rank() + 1) % w.size();
      const std::size_t last = a.local().size() - 1;
      a.put(7, next, last);
      EXPECT_EQ(a.get(next, last), 7);
      EXPECT_EQ(a.get(next, last - 1), 0);
      w.barrier();
      expect_exchange_works(w);
    }
  });
}

// The first share that Boxcar takes is too small, but the heap is not.
TEST(symmetric_heap, is_taken_from_as_needed) {
  run_on(apart(), [](world& w) {
    for (int i = 0; i < 3; ++i) {
      const conveyor<int> c(w, with_buffers_of(2 * mebibyte));
      expect_exchange_works(w);
    }
  });
}

TEST(symmetric_heap, too_small_for_a_part_of_the_world_is_told_to_its_pes) {
  run_on(apart(), [](world& w) {
    std::optional<world> part = w.split(w.rank() / 2);
    const std::string told = thrown_by<system_error>(
        [&part] { const conveyor<int> c(*part, with_buffers_of(8 * mebibyte)); });
    expect_mentions(told, {"set BOXCAR_SYMMETRIC_BYTES to what is needed at once"});
    expect_exchange_works(*part);
    expect_exchange_works(w);
  });
}

// More monsters and large arrays than have room at once: one PE waits for the other PEs to fetch
// them.
constexpr int monsters = 60;
constexpr std::size_t monster = 500'000;

TEST(symmetric_heap, full_of_monsters_makes_a_push_fail) {
  run_on(apart(), [](world& w) {
    elastic_conveyor c(w, monsters * monster);
    const session s = c.begin();
    int left = monsters;
    int pulled = 0;
    while (c.advance(left == 0)) {
      const std::vector<std::byte> item(monster, std::byte(left));
      if (left > 0 && c.push(item, (w.rank() + 1) % w.size())) --left;
      while (const auto arrived = c.pull()) {
        ASSERT_EQ(arrived->bytes.back(), std::byte(monsters - pulled));
        ++pulled;
      }
    }
    EXPECT_EQ(pulled, monsters);
  });
}

TEST(symmetric_heap, full_of_large_arrays_makes_a_send_wait) {
  run_on(apart(), [](world& w) {
    int arrived = 0;
    stream<std::byte[]> s(w, [&](std::span<const std::byte> a) {
      ASSERT_EQ(a.back(), std::byte(arrived));
      ++arrived;
    });
    const session scope = s.begin();
    for (int i = 0; i < monsters; ++i) {
      s.send_array(std::vector<std::byte>(monster, std::byte(i)), (w.rank() + 1) % w.size());
    }
    s.finish();
    EXPECT_EQ(arrived, monsters);
  });
}

// A send in a handler does not wait.
TEST(symmetric_heap, full_of_large_arrays_makes_a_handler_hold_back) {
  run_on(apart(), [](world& w) {
    int arrived = 0;
    std::optional<stream<std::byte[]>> s;
    s.emplace(w, [&](std::span<const std::byte> a) {
      if (!a.empty()) {
        ASSERT_EQ(a.back(), std::byte(arrived));
        ++arrived;
        return;
      }
      for (int i = 0; i < monsters; ++i) {
        s->send_array(std::vector<std::byte>(monster, std::byte(i)), (w.rank() + 1) % w.size());
      }
    });
    const session scope = s->begin();
    s->send_array({}, w.rank());
    s->finish();
    EXPECT_EQ(arrived, monsters);
  });
}

// The other PEs get the error of the PE; they do not wait for it.
TEST(symmetric_heap, too_small_for_an_item_is_told_to_the_pe_that_pushes_it) {
  const world_report report = observe(apart(), [](world& w) {
    elastic_conveyor c(w, 64 * mebibyte);
    const session s = c.begin();
    const std::vector<std::byte> item(w.rank() == 0 ? 64 * mebibyte : 0);
    bool pushed = w.rank() != 0;
    do {
      if (!pushed) pushed = c.push(item, w.size() - 1);
      while (c.pull()) continue;
    } while (c.advance(pushed));
  });
  EXPECT_TRUE(report.failed);
  EXPECT_EQ(report.pes[0].end, ending::system_error);
  expect_mentions(report.pes[0].what, {"no room for an item of", "set BOXCAR_SYMMETRIC_BYTES"});
  for (std::size_t pe = 1; pe < report.pes.size(); ++pe) {
    EXPECT_EQ(report.pes[pe].end, ending::world_error);
    expect_mentions(report.pes[pe].what, {"PE 0"});
  }
}

}  // namespace
}  // namespace boxcar::test::symmetric_heap_test
