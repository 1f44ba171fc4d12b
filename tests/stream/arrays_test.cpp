// Streams of arrays: of any length, none or more than a buffer holds, delivered whole and in order.
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>

#include "stream/stream_setup.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/few_descriptors.hpp"
#include "support/run_on.hpp"
#include "support/sanitizers.hpp"
#include "support/shared_array.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::arrays_test {
namespace {

class arrays : public testing::TestWithParam<stream_setup> {
 protected:
  // Room for a ticket at least.
  [[nodiscard]] stream_options options() const {
    stream_options o = GetParam().options();
    if (o.buffer_bytes != 0) o.buffer_bytes = std::max<std::size_t>(o.buffer_bytes, 100);
    return o;
  }

  template <typename Stream>
  void finish(Stream& s) const {
    if (GetParam().ending != termination_kind::quiescence) s.done();
    s.finish();
  }
};

// The content of an array encodes its source, its number among the arrays of the source, and its
// length.
std::vector<std::uint32_t> example(int from, int to, std::uint32_t number) {
  dice d(scramble_all({static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to), number}));
  const int lengths[] = {0, 1, 3, 10, 40, 3000};
  const auto length = static_cast<std::size_t>(d.pick(std::span<const int>(lengths)));
  std::vector<std::uint32_t> a(length + 2);
  std::iota(a.begin(), a.end(), number);
  a[0] = static_cast<std::uint32_t>(from);
  a[1] = number;
  return a;
}

TEST_P(arrays, arrive_whole_and_in_order) {
  constexpr std::uint32_t count = 60;
  run_on(GetParam().shape, [&](world& w) {
    std::vector<std::uint32_t> next(static_cast<std::size_t>(w.size()));
    stream<std::uint32_t[]> s(
        w,
        [&](std::span<const std::uint32_t> a) {
          ASSERT_GE(a.size(), 2U);
          const auto from = static_cast<int>(a[0]);
          ASSERT_EQ(a[1], next[a[0]]++);
          const auto expected = example(from, w.rank(), a[1]);
          ASSERT_TRUE(std::equal(a.begin(), a.end(), expected.begin(), expected.end()));
        },
        options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (std::uint32_t i = 0; i < count; ++i) {
      for (int to = 0; to < w.size(); ++to) s.send_array(example(w.rank(), to, i), to);
    }
    finish(s);
    for (const std::uint32_t received : next) EXPECT_EQ(received, count);
    EXPECT_EQ(s.session_statistics().handled, count * static_cast<std::uint64_t>(w.size()));
    EXPECT_EQ(s.session_statistics().sent, count * static_cast<std::uint64_t>(w.size()));
  });
}

TEST_P(arrays, may_be_empty) {
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    stream<double[]> s(
        w, [&](std::span<const double> a) { arrived += a.empty() ? 1 : 1000; }, options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (int i = 0; i < 200; ++i) s.send_array({}, i % w.size());
    finish(s);
    EXPECT_EQ(w.reduce(arrived), 200 * w.size());
  });
}

TEST_P(arrays, lie_as_their_alignment_wants_it) {
  struct alignas(32) wide {
    std::uint64_t value[4];
  };
  run_on(GetParam().shape, [&](world& w) {
    std::uint64_t sum = 0;
    stream<wide[]> s(
        w,
        [&](std::span<const wide> a) {
          ASSERT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % alignof(wide), 0U);
          for (const wide& each : a) sum += each.value[3];
        },
        options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (std::size_t i = 0; i < 50; ++i) {
      const std::vector<wide> a(i % 7 == 0 ? 700 : i % 3, wide{{0, 0, 0, 1}});
      s.send_array(a, static_cast<int>(i) % w.size());
    }
    finish(s);
    std::uint64_t each = 0;
    for (std::size_t i = 0; i < 50; ++i) each += i % 7 == 0 ? 700 : i % 3;
    EXPECT_EQ(w.reduce(sum), each * static_cast<std::uint64_t>(w.size()));
  });
}

TEST_P(arrays, are_broadcast_small_and_large) {
  run_on(GetParam().shape, [&](world& w) {
    std::vector<int> arrived(static_cast<std::size_t>(w.size()));
    stream<int[]> s(
        w,
        [&](std::span<const int> a) {
          for (const int element : a) ASSERT_EQ(element, a[0]);
          arrived[static_cast<std::size_t>(a[0])] += static_cast<int>(a.size());
        },
        options());
    const session scope = s.begin(GetParam().one_producer_each());
    for (const std::size_t length : {1U, 5U, 20U, 5000U, 2U}) {
      s.broadcast_array(std::vector<int>(length, w.rank()));
    }
    finish(s);
    for (const int elements : arrived) EXPECT_EQ(elements, 5028);
  });
}

// Arrays of handlers that find no room are kept, large arrays, too.
TEST_P(arrays, may_be_sent_from_handlers) {
  if (GetParam().ending == termination_kind::staged) return;
  run_on(GetParam().shape, [&](world& w) {
    std::size_t arrived = 0;
    std::optional<stream<char[]>> s;
    s.emplace(
        w,
        [&](std::span<const char> a) {
          arrived += a.size();
          if (a.size() < 2) return;
          const std::vector<char> half(a.begin(), a.begin() + static_cast<long>(a.size() / 2));
          s->send_array(half, (w.rank() + 1) % w.size());
          s->send_array(half, w.rank());
        },
        options());
    const session scope = s->begin(GetParam().one_producer_each());
    s->send_array(std::vector<char>(1024), w.rank());
    finish(*s);
    EXPECT_EQ(w.reduce(arrived), 11U * 1024 * static_cast<std::size_t>(w.size()));
  });
}

// More arrays than may wait to be fetched are held back, and passed on where they arrive.
TEST_P(arrays, are_passed_on_by_handlers_while_many_are_held_back) {
  if (GetParam().ending == termination_kind::staged) return;
  constexpr int count = 100;
  constexpr char hops = 3;
  run_on(GetParam().shape, [&](world& w) {
    int arrived = 0;
    std::optional<stream<char[]>> s;
    s.emplace(
        w,
        [&](std::span<const char> a) {
          ++arrived;
          std::vector<char> large(16'000, hops);
          if (a.size() == 1) {
            for (int i = 0; i < count; ++i) s->send_array(large, i % w.size());
          } else if (a[0] > 1) {
            large[0] = static_cast<char>(a[0] - 1);
            s->send_array(large, (w.rank() + 1) % w.size());
          }
        },
        options());
    const session scope = s->begin(GetParam().one_producer_each());
    s->send_array(std::vector<char>(1), w.rank());
    finish(*s);
    EXPECT_EQ(w.reduce(arrived), (1 + count * hops) * w.size());
  });
}

INSTANTIATE_TEST_SUITE_P(streams, arrays, testing::ValuesIn(varied_stream_setups(stream_shapes())),
                         by_name{});

TEST(arrays, of_megabytes_are_copied_once_and_kept_by_nobody) {
  run_on({substrate_kind::processes, 2, 1}, [](world& w) {
    std::size_t arrived = 0;
    stream<std::byte[]> s(w, [&](std::span<const std::byte> a) { arrived += a.size(); });
    const session scope = s.begin();
    const std::vector<std::byte> large(std::size_t{16} << 20);
    for (int i = 0; i < 40; ++i) s.send_array(large, 1 - w.rank());
    s.finish();
    EXPECT_EQ(arrived, 40 * large.size());
  });
}

// More and larger arrays than a process may have files open.
struct shortage_case {
  int count;
  std::size_t bytes;
};
constexpr shortage_case many{600, 70'000};
constexpr shortage_case large{60, 300'000};
constexpr int descriptors = 12;
// In buffers of this size neither array has room.
const stream_options small_buffers{.buffer_bytes = 16384};

// PE 1 looks for arrays only when PE 0 has been sending for a while.
void send_while_nobody_looks(world& w, shortage_case c, std::atomic<int>& sending) {
  int arrived = 0;
  stream<std::byte[]> s(
      w,
      [&](std::span<const std::byte> a) {
        ASSERT_EQ(a.size(), c.bytes);
        ASSERT_EQ(a[0], std::byte(arrived & 255));
        ASSERT_EQ(a[c.bytes - 1], std::byte(arrived & 255));
        ++arrived;
      },
      small_buffers);
  const session scope = s.begin();
  for (int i = 0; i < c.count && w.rank() == 0; ++i) {
    sending = i;
    s.send_array(std::vector<std::byte>(c.bytes, std::byte(i & 255)), 1);
  }
  while (w.rank() == 1 && sending <= 2 * descriptors / 3) std::this_thread::yield();
  s.finish();
  EXPECT_EQ(arrived, w.rank() == 1 ? c.count : 0);
}

TEST(arrays, wait_for_room_while_files_are_short) {
  if (with_address_sanitizer) GTEST_SKIP() << "it looks at objects through a pipe";
  for (const shortage_case& c : {many, large}) {
    shared_array<std::atomic<int>> sending(1);
    run_on({substrate_kind::processes, 2, 1}, [&](world& w) {
      const few_descriptors few(descriptors);
      send_while_nobody_looks(w, c, sending[0]);
    });
  }
}

// A handler does not wait.
TEST(arrays, are_held_back_in_handlers_while_files_are_short) {
  if (with_address_sanitizer) GTEST_SKIP() << "it looks at objects through a pipe";
  for (const shortage_case& c : {many, large}) {
    run_on({substrate_kind::processes, 2, 1}, [&](world& w) {
      const few_descriptors few(descriptors);
      int arrived = 0;
      std::optional<stream<std::byte[]>> s;
      s.emplace(
          w,
          [&](std::span<const std::byte> a) {
            if (a.empty()) {
              for (int i = 0; i < c.count; ++i) {
                s->send_array(std::vector<std::byte>(c.bytes, std::byte(i & 255)), 0);
              }
            } else {
              ASSERT_EQ(a.size(), c.bytes);
              ASSERT_EQ(a[c.bytes - 1], std::byte(arrived & 255));
              ++arrived;
            }
          },
          small_buffers);
      const session scope = s->begin();
      if (w.rank() == 0) s->send_array({}, 1);
      s->finish();
      EXPECT_EQ(arrived, w.rank() == 0 ? c.count : 0);
    });
  }
}

// Small arrays would have room in the buffer while a large array waits to be fetched.
TEST(arrays, small_ones_do_not_overtake_large_ones_that_are_held_back) {
  constexpr std::uint32_t count = 200;
  for (const substrate_kind substrate : {substrate_kind::threads, substrate_kind::processes}) {
    run_on({substrate, 2, 1}, [&](world& w) {
      std::uint32_t arrived = 0;
      std::optional<stream<std::uint32_t[]>> s;
      s.emplace(
          w,
          [&](std::span<const std::uint32_t> a) {
            if (a.empty()) {
              for (std::uint32_t i = 0; i < count; ++i) {
                s->send_array(std::vector<std::uint32_t>(i % 2 == 0 ? 5000 : 1, i), 0);
              }
            } else {
              EXPECT_EQ(a[0], arrived);
              ++arrived;
            }
          },
          stream_options{.buffer_bytes = 16384});
      const session scope = s->begin();
      if (w.rank() == 0) s->send_array({}, 1);
      s->finish();
      EXPECT_EQ(arrived, w.rank() == 0 ? count : 0);
    });
  }
}

// The large arrays of a handler wait for tickets in a buffer that is not full.
TEST(arrays, small_ones_leave_while_large_ones_are_held_back) {
  for (const substrate_kind substrate : {substrate_kind::threads, substrate_kind::processes}) {
    run_on({substrate, 2, 1}, [&](world& w) {
      const std::vector<char> megabyte(1 << 20);
      int arrived = 0;
      std::optional<stream<char[]>> s;
      s.emplace(w, [&](std::span<const char> a) {
        ++arrived;
        for (int i = 0; a.size() == 1 && i < 100; ++i) s->send_array(megabyte, 1);
      });
      const session scope = s->begin();
      if (w.rank() == 0) {
        s->send_array(std::vector<char>(1), 0);
        s->flush();
        while (arrived == 0) static_cast<void>(s->poll());
        for (int i = 0; i < 10; ++i) s->send_array(std::vector<char>(2), 1);
      }
      s->finish();
      EXPECT_EQ(arrived, w.rank() == 0 ? 1 : 110);
    });
  }
}

TEST(arrays, that_can_never_be_put_up_are_an_error) {
  if (with_address_sanitizer) GTEST_SKIP() << "it looks at objects through a pipe";
  const auto report = observe({substrate_kind::processes, 2, 1}, [](world& w) {
    stream<std::byte[]> s(
        w, [](std::span<const std::byte>) {}, small_buffers);
    const session scope = s.begin();
    const few_descriptors none(0);
    if (w.rank() == 0) s.send_array(std::vector<std::byte>(300'000), 1);
    s.finish();
  });
  EXPECT_EQ(report.pes[0].end, ending::system_error);
  expect_mentions(report.pes[0].what, {"Too many open files", "ulimit -n"});
}

TEST(arrays, need_buffers_with_room_for_what_speaks_for_a_large_one) {
  run_on({substrate_kind::threads, 2, 1}, [](world& w) {
    const auto text = thrown_by<argument_error>(
        [&] { stream<char[]> s(w, [](std::span<const char>) {}, {.buffer_bytes = 40}); });
    expect_mentions(text, {"buffer_bytes is 40", "44"});
  });
}

// The look-ahead counts arrays, as it counts items.
TEST(arrays, are_bounded_by_the_look_ahead) {
  run_on({substrate_kind::threads, 4, 1}, [](world& w) {
    std::size_t arrived = 0;
    stream<int[]> s(w, [&](std::span<const int> a) { arrived += a.size(); },
                    {.way = route::grid(4, {2, 2}), .look_ahead = 6});
    const session scope = s.begin(staged(1));
    for (int i = 0; i < 1000; ++i) {
      const std::vector<int> a(static_cast<std::size_t>(i % 5));
      s.send_array(a, i % 4);
    }
    s.done();
    s.finish();
    EXPECT_EQ(w.reduce(arrived), 4 * 2000U);
  });
}

}  // namespace
}  // namespace boxcar::test::arrays_test
