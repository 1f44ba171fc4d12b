#include "ofi/pes_at_work.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace boxcar::test {
namespace {

using number = std::uint64_t;

number mark(int pe, std::size_t index) {
  return (static_cast<number>(pe) + 1) << 32 | index;
}

// Returns a byte of a large item; pieces of a megabyte differ.
std::byte byte_of(std::size_t i) {
  return static_cast<std::byte>((i >> 12) + 3 * (i >> 20));
}

// The values that a PE puts in a turn, and then overwrites.
std::vector<number> values_of(int pe, int turn, std::size_t elements) {
  std::vector<number> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    values[i] = mark(pe, i * static_cast<std::size_t>(turn));
  }
  return values;
}
constexpr number later = number{1} << 20;

}  // namespace

void meet(world& w, int times) {
  for (int i = 0; i < times; ++i) w.barrier();
  EXPECT_EQ(w.reduce(1), w.size());
}

void exchange_items(world& w, int items) {
  conveyor<int> c(w, {.buffer_bytes = least_of_buffers});
  const int all = items * w.size();
  std::vector<int> next(static_cast<std::size_t>(w.size()));
  int pulled = 0;
  {
    const session s = c.begin();
    int pushed = 0;
    while (c.advance(pushed == all)) {
      while (pushed < all && c.push(pushed / w.size(), pushed % w.size())) ++pushed;
      int from = 0;
      for (int item = 0; c.pull(item, from); ++pulled) {
        EXPECT_EQ(item, next[static_cast<std::size_t>(from)]++) << "from PE " << from;
      }
    }
  }
  EXPECT_EQ(pulled, all);
}

void exchange_large_items(world& w, std::size_t bytes) {
  elastic_conveyor c(w, bytes);
  const session s = c.begin();
  int pushed = 0;
  int pulled = 0;
  std::vector<std::byte> item(bytes);
  while (c.advance(pushed == w.size())) {
    for (; pushed < w.size(); ++pushed) {
      for (std::size_t i = 0; i < bytes; i += 1000) {
        item[i] = static_cast<std::byte>(i / 1000 + static_cast<std::size_t>(w.rank()));
      }
      if (!c.push(item, pushed)) break;
    }
    while (const auto arrived = c.pull()) {
      ++pulled;
      EXPECT_EQ(arrived->bytes.size(), bytes);
      for (std::size_t i = 0; i < arrived->bytes.size(); i += 1000) {
        const auto expected =
            static_cast<std::byte>(i / 1000 + static_cast<std::size_t>(arrived->from));
        if (arrived->bytes[i] != expected) {
          ADD_FAILURE() << "byte " << i << " from PE " << arrived->from;
          break;
        }
      }
    }
  }
  EXPECT_EQ(pulled, w.size());
}

void send_large_item(world& w, std::size_t bytes) {
  elastic_conveyor c(w, bytes);
  const session s = c.begin();
  std::vector<std::byte> item;
  if (w.rank() == 0) {
    item.resize(bytes);
    for (std::size_t i = 0; i < bytes; i += 4096) item[i] = byte_of(i);
  }
  bool is_pushed = w.rank() != 0;
  std::size_t pulled = 0;
  while (c.advance(is_pushed)) {
    if (!is_pushed) is_pushed = c.push(item, w.size() - 1);
    while (const auto arrived = c.pull()) {
      pulled = arrived->bytes.size();
      for (std::size_t i = 0; i < pulled; i += 4096) {
        EXPECT_EQ(arrived->bytes[i], byte_of(i)) << "byte " << i;
      }
    }
  }
  EXPECT_EQ(pulled, w.rank() == w.size() - 1 ? bytes : 0U);
}

void use_window(world& w, std::size_t elements) {
  window<number> a(w, elements + 1);
  window<number> told(w, static_cast<std::size_t>(w.size()));
  for (int turn = 1; turn < w.size(); ++turn) {
    const int to = (w.rank() + turn) % w.size();
    const int from = (w.rank() + w.size() - turn) % w.size();
    std::vector<number> values = values_of(w.rank(), turn, elements);
    std::vector<number> arriving = values_of(from, turn, elements);
    // Puts a second time with the address known.
    for (int i = 0; i < 2; ++i) {
      a.put(std::span<const number>(values), to, 0);
      if (i == 0) a.flush();
    }
    // Overwrites some of the values, one by one.
    for (std::size_t i = 0; i < elements; i += elements / 8 + 1) {
      a.put(values[i] += later, to, i);
      arriving[i] += later;
    }
    // Another way, but not before them.
    a.fence();
    told.store(static_cast<number>(turn), to, static_cast<std::size_t>(w.rank()));
    told.wait_until(static_cast<std::size_t>(from),
                    [turn](number n) { return n == static_cast<number>(turn); });
    EXPECT_TRUE(std::ranges::equal(a.local().first(elements), arriving)) << "from PE " << from;
    EXPECT_EQ(a.local()[elements], 0U);
    a.flush();
    std::vector<number> got(elements);
    a.get(std::span<number>(got), to, 0);
    EXPECT_EQ(got, values) << "of PE " << to;
    EXPECT_EQ(a.get(to, elements / 2), values[elements / 2]);
    w.barrier();
  }
}

void count_together(world& w, int times) {
  window<number> a(w, 2);
  for (int i = 0; i < times; ++i) {
    const int pe = (w.rank() + i) % w.size();
    a.add(1, pe, 0);
    static_cast<void>(a.fetch_add(2, pe, 1));
  }
  a.flush();
  w.barrier();
  EXPECT_EQ(w.reduce(a.local()[0]), static_cast<number>(times) * static_cast<number>(w.size()));
  EXPECT_EQ(w.reduce(a.local()[1]), 2 * static_cast<number>(times) * static_cast<number>(w.size()));
  w.barrier();
}

void count_puts(world& w, std::size_t elements, int blocks, counts what) {
  window<number> a(w, elements * static_cast<std::size_t>(blocks));
  counter arrived(w, {.what = what});
  const std::int64_t worth =
      what == counts::bytes ? static_cast<std::int64_t>(elements * sizeof(number)) : 1;
  const auto block_of = [&](int pe, int block) { return values_of(pe, block + 1, elements); };
  for (int turn = 1; turn < w.size(); ++turn) {
    const int to = (w.rank() + turn) % w.size();
    const int from = (w.rank() + w.size() - turn) % w.size();
    arrived.set(0);
    w.barrier();
    for (int block = 0; block < blocks; ++block) {
      const std::vector<number> values = block_of(w.rank(), block);
      a.put(std::span<const number>(values), to, static_cast<std::size_t>(block) * elements,
            arrived);
      // With the address known and nothing in flight, the network may count the puts.
      if (block == 0) arrived.wait(worth);
      if (block == 0) a.flush();
      if (block % 7 == 3) a.fence();
    }
    arrived.wait(blocks * worth);
    for (int block = 0; block < blocks; ++block) {
      const auto its = a.local().subspan(static_cast<std::size_t>(block) * elements, elements);
      EXPECT_TRUE(std::ranges::equal(its, block_of(from, block)))
          << "block " << block << " from PE " << from;
    }
    // A flushed put is counted.
    w.barrier();
    const std::vector<number> values = block_of(w.rank(), 0);
    a.put(std::span<const number>(values), to, 0, arrived);
    a.flush();
    w.barrier();
    EXPECT_EQ(arrived.value(), (blocks + 1) * worth);
    w.barrier();
  }
}

void use_parts(world& w) {
  std::optional<world> part = w.split(w.rank() % 2);
  exchange_items(*part, 500);
  part->barrier();
}

}  // namespace boxcar::test
