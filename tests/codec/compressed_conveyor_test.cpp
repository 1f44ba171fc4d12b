// Tests of conveyors that compress, with the standard codec and with odd codecs: the arrivals are
// the same as without compression, and the bytes between nodes are counted.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "codec/odd_codecs.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/dice.hpp"
#include "support/random_program.hpp"
#include "support/run_on.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test::compressed_conveyor_test {
namespace {

constexpr std::array codecs{"standard", "refusing", "expanding", "roomy", "remembering"};

std::shared_ptr<codec> codec_named(const std::string& name) {
  if (name == "refusing") return refusing_codec();
  if (name == "expanding") return expanding_codec();
  if (name == "roomy") return roomy_codec();
  if (name == "remembering") return remembering_codec();
  return standard_codec();
}

struct compressed_setup {
  conveyor_setup conveyor;
  std::string codec;
};

const world_shape& shape_of(const compressed_setup& setup) {
  return setup.conveyor.shape;
}

std::string name_of(const compressed_setup& setup) {
  return name_of(setup.conveyor) + (setup.conveyor.options.compress ? "_compressed_by_" : "_") +
         setup.codec;
}

void PrintTo(const compressed_setup& setup, std::ostream* out) {
  *out << name_of(setup);
}

const std::vector<world_shape> several_nodes = or_cluster({{substrate_kind::threads, 2, 2},
                                                           {substrate_kind::threads, 4, 2},
                                                           {substrate_kind::threads, 6, 3},
                                                           {substrate_kind::threads, 8, 2},
                                                           {substrate_kind::processes, 4, 2},
                                                           {substrate_kind::processes, 4, 4}});

template <std::size_t Bytes, std::size_t Alignment = 1>
struct alignas(Alignment) item_of {
  std::array<std::uint8_t, Bytes> bytes;

  // The content of an item encodes its source, as far as there is room. Many bytes are the same in
  // many items.
  item_of() = default;
  item_of(int from, int to, std::uint32_t number) {
    bytes.fill(0x77);
    const std::uint8_t content[] = {static_cast<std::uint8_t>(number),
                                    static_cast<std::uint8_t>(number >> 8),
                                    static_cast<std::uint8_t>(from),
                                    static_cast<std::uint8_t>(to),
                                    0,
                                    0x55};
    std::copy_n(content, std::min(sizeof content, Bytes), bytes.begin());
  }
};

// The destinations of a PE's items, in order; every PE can compute them.
class destinations_of {
 public:
  destinations_of(int pe, int pes) : dice_(static_cast<std::uint64_t>(pe)), pes_(pes) {}
  int next() { return dice_.below(pes_); }

 private:
  dice dice_;
  int pes_;
};

// One session: every PE pushes `items` items and checks its arrivals.
template <typename Item>
class checked_session {
 public:
  checked_session(world& w, conveyor<Item>& c, int items)
      : world_(w),
        conveyor_(c),
        left_(items),
        destinations_(w.rank(), w.size()),
        pushed_to_(static_cast<std::size_t>(w.size())),
        pulled_from_(static_cast<std::size_t>(w.size())),
        dice_(scramble_all({99, static_cast<std::uint64_t>(w.rank())})) {
    const session s = conveyor_.begin();
    to_ = destinations_.next();
    while (conveyor_.advance(left_ == 0)) {
      push_some();
      pull_some();
      if (testing::Test::HasFatalFailure()) return;
    }
    for (int pe = 0; pe < world_.size(); ++pe) expect_all_from(pe, items);
  }

 private:
  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

  void push_some() {
    for (int n = dice_.below(300); n > 0 && left_ > 0; --n) {
      if (!conveyor_.push(Item(world_.rank(), to_, pushed_to_[index(to_)]), to_)) return;
      ++pushed_to_[index(to_)];
      --left_;
      to_ = destinations_.next();
    }
  }

  void pull_some() {
    for (int n = dice_.below(300); n > 0; --n) {
      int from = -1;
      const int way = dice_.below(10);
      if (way < 5) {
        Item item;
        if (!conveyor_.pull(item, from)) return;
        check(item, from);
      } else {
        const Item* item = conveyor_.pull_pointer(from);
        if (item == nullptr) return;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item) % alignof(Item), 0U);
        // The item stays in place whatever else happens.
        if (way == 5) push_some();
        if (way == 6) conveyor_.advance(left_ == 0);
        check(*item, from);
      }
      if (way == 9 && conveyor_.unpull()) --pulled_from_[index(from)];
    }
  }

  void check(const Item& item, int from) {
    ASSERT_GE(from, 0);
    ASSERT_LT(from, world_.size());
    const Item expected(from, world_.rank(), pulled_from_[index(from)]++);
    ASSERT_EQ(item.bytes, expected.bytes) << "from PE " << from;
  }

  void expect_all_from(int pe, int items) {
    destinations_of them(pe, world_.size());
    std::uint32_t to_me = 0;
    for (int i = 0; i < items; ++i) to_me += them.next() == world_.rank() ? 1 : 0;
    EXPECT_EQ(pulled_from_[index(pe)], to_me) << "from PE " << pe;
  }

  world& world_;
  conveyor<Item>& conveyor_;
  int left_;  // to push
  destinations_of destinations_;
  int to_ = 0;
  std::vector<std::uint32_t> pushed_to_;
  std::vector<std::uint32_t> pulled_from_;
  dice dice_;
};

// The traffic of all PEs to other nodes over a hop.
struct account {
  std::uint64_t buffers;
  std::uint64_t bytes;
  std::uint64_t packets;  // bytes of packets, also of packets that stayed on the node
};

std::vector<account> account_of(world& w, const statistics& mine) {
  std::vector<account> all;
  for (const hop_statistics& hop : mine.hops) {
    all.push_back(
        {w.reduce(hop.remote_buffers), w.reduce(hop.remote_bytes), w.reduce(hop.packet_bytes())});
    EXPECT_LE(hop.fill(), 1.0);
  }
  return all;
}

constexpr std::uint64_t trailer_bytes = 4;

void expect_sensible(const account& with, const account& without, const compressed_setup& setup) {
  EXPECT_EQ(with.packets, without.packets);
  if (setup.codec == "refusing" || without.bytes == 0) {
    EXPECT_EQ(with.bytes, without.bytes);
  } else if (setup.codec == "expanding") {
    EXPECT_GT(with.bytes, without.bytes);
    EXPECT_LE(with.bytes, without.bytes + with.buffers * trailer_bytes);
  } else if (setup.conveyor.options.buffer_bytes == 0 && !setup.conveyor.options.steady) {
    EXPECT_LT(with.bytes, without.bytes);
  } else {  // perhaps buffers of a few packets
    EXPECT_LE(with.bytes, without.bytes + with.buffers * trailer_bytes);
  }
}

class compressed_conveyor : public testing::TestWithParam<compressed_setup> {
 protected:
  template <typename Item>
  void compare_sessions(world& w) {
    conveyor_options options = GetParam().conveyor.options;
    if (options.buffer_bytes != 0)
      options.buffer_bytes = std::max(options.buffer_bytes, sizeof(Item));
    conveyor<Item> c(w, options);
    // Buffers of a few items take a turn of the other PEs each.
    const int items = options.buffer_bytes == 0 ? 3000 : 400;
    c.set_codec(nullptr);
    checked_session<Item>(w, c, items);
    const std::vector<account> without = account_of(w, c.session_statistics());
    for (int repeat = 0; repeat < 2; ++repeat) {
      c.set_codec(codec_named(GetParam().codec));
      checked_session<Item>(w, c, items);
      const std::vector<account> with = account_of(w, c.session_statistics());
      w.barrier();  // now every PE has left the session
      EXPECT_EQ(remembered_links(), 0);
      ASSERT_EQ(with.size(), without.size());
      for (std::size_t hop = 0; hop < with.size(); ++hop) {
        expect_sensible(with[hop], without[hop], GetParam());
      }
      w.barrier();
    }
    const statistics total = c.total_statistics();
    EXPECT_EQ(w.reduce(total.pushes), static_cast<std::uint64_t>(3 * items * w.size()));
    EXPECT_EQ(w.reduce(total.pulls - total.unpulls), w.reduce(total.pushes));
  }
};

TEST_P(compressed_conveyor, brings_everything) {
  run_on(GetParam().conveyor.shape, [&](world& w) {
    switch (GetParam().conveyor.item_bytes) {
      case 8:
        return compare_sessions<item_of<8, 8>>(w);
      case 13:
        return compare_sessions<item_of<13>>(w);
      case 64:
        return compare_sessions<item_of<64, 64>>(w);
      default:
        return compare_sessions<item_of<200, 8>>(w);
    }
  });
}

conveyor_options varied(conveyor_options options, dice& d) {
  if (d.chance(40)) options.buffer_bytes = d.pick<std::size_t>({1, 100, 1000});
  options.buffers_per_link = d.pick({1, 2, 4});
  options.steady = d.chance(30);
  options.dynamic_memory = d.chance(30);
  options.compress = d.chance(50);
  return options;
}

std::vector<compressed_setup> setups() {
  std::vector<compressed_setup> all;
  dice d(1);
  for (const conveyor_setup& plain : all_plain_setups(several_nodes)) {
    for (const char* codec : codecs) {
      for (int i = 0; i < num_draws(); ++i) {
        all.push_back({plain, codec});
        conveyor_setup& setup = all.back().conveyor;
        setup.options = varied(setup.options, d);
        setup.item_bytes = d.pick<std::size_t>({8, 13, 64, 200});
      }
    }
  }
  using setup = const compressed_setup&;
  return tier_cases(
      std::move(all), [](setup s) { return s.codec; }, [](setup s) { return s.conveyor.variant; },
      [](setup s) { return s.conveyor.item_bytes; },
      [](setup s) { return s.conveyor.options.buffer_bytes; },
      [](setup s) { return s.conveyor.options.buffers_per_link; },
      [](setup s) { return s.conveyor.options.steady; },
      [](setup s) { return s.conveyor.options.dynamic_memory; },
      [](setup s) { return s.conveyor.options.compress; });
}

INSTANTIATE_TEST_SUITE_P(contract, compressed_conveyor, testing::ValuesIn(setups()), by_name{});

// --- The contract, with content that cannot be compressed ----------------------------------------

class conveyor_that_compresses : public testing::TestWithParam<conveyor_setup> {};

TEST_P(conveyor_that_compresses, keeps_the_contract) {
  ledger book(GetParam().shape.pes);
  run_on(GetParam().shape, [&](world& w) {
    checked_conveyor c(w, GetParam(), book);
    for (const traffic pattern : all_traffic()) play(w, c, {program_seed(5), pattern, 100});
  });
}

std::vector<conveyor_setup> compressing(std::vector<conveyor_setup> setups) {
  for (conveyor_setup& setup : setups) setup.options.compress = true;
  return setups;
}

INSTANTIATE_TEST_SUITE_P(contract, conveyor_that_compresses,
                         testing::ValuesIn(compressing(varied_setups(several_nodes))), by_name{});

// --- Bytes ---------------------------------------------------------------------------------------

constexpr std::size_t items_per_buffer = 1024;
constexpr std::size_t buffers = 10;

// The bytes that PE 0 sends to PE 1, on another node, in 10 full buffers of 1024 integers.
std::uint64_t bytes_between_nodes(const std::function<std::uint64_t(std::uint64_t)>& number,
                                  const conveyor_options& asked) {
  std::uint64_t bytes = 0;
  run_on({substrate_kind::threads, 2, 2}, [&](world& w) {
    conveyor_options options = asked;
    options.hops = 1;
    options.buffer_bytes = 8 * items_per_buffer;
    conveyor<std::uint64_t> c(w, options);
    {
      const session s = c.begin();
      std::uint64_t i = w.rank() == 0 ? 0 : buffers * items_per_buffer;
      while (c.advance(i == buffers * items_per_buffer)) {
        for (; i < buffers * items_per_buffer && c.push(number(i), 1); ++i) {
        }
        std::uint64_t item;
        while (c.pull(item)) {
        }
      }
    }
    const hop_statistics hop = c.session_statistics().hops.at(0);
    if (w.rank() != 0) {
      EXPECT_EQ(hop.bytes(), 0U);
      return;
    }
    EXPECT_EQ(hop.local_bytes, 0U);
    EXPECT_EQ(hop.packet_bytes(), 8 * items_per_buffer * buffers);
    EXPECT_EQ(hop.saved_bytes, static_cast<std::int64_t>(hop.packet_bytes()) -
                                   static_cast<std::int64_t>(hop.bytes()));
    EXPECT_EQ(c.session_statistics().pushes, buffers * items_per_buffer);
    bytes = hop.remote_bytes;
  });
  return bytes;
}

std::uint64_t constant(std::uint64_t) {
  return 0x0123456789abcdef;
}
std::uint64_t half_constant(std::uint64_t i) {
  return scramble(i) >> 32;
}

TEST(bytes_between_nodes, of_constant_data) {
  EXPECT_EQ(bytes_between_nodes(constant, {.compress = true}), buffers * (8 + 8 + trailer_bytes));
}

TEST(bytes_between_nodes, of_half_constant_data) {
  EXPECT_EQ(bytes_between_nodes(half_constant, {.compress = true}),
            buffers * (8 + 4 + 4 * items_per_buffer + trailer_bytes));
}

TEST(bytes_between_nodes, of_random_data) {
  EXPECT_EQ(bytes_between_nodes(scramble, {.compress = true}),
            buffers * (8 * items_per_buffer + trailer_bytes));
}

TEST(bytes_between_nodes, are_what_was_pushed_if_nothing_is_compressed) {
  for (const auto& number : {constant, half_constant}) {
    EXPECT_EQ(bytes_between_nodes(number, {}), buffers * 8 * items_per_buffer);
  }
}

// --- Cases without compression -------------------------------------------------------------------

TEST(compress, changes_nothing_on_one_node) {
  run_on({substrate_kind::threads, 3, 1}, [](world& w) {
    conveyor<item_of<8>> c(w, {.compress = true});
    checked_session<item_of<8>>(w, c, 1000);
    const hop_statistics hop = c.session_statistics().hops.at(0);
    EXPECT_EQ(hop.saved_bytes, 0);
    EXPECT_EQ(hop.local_bytes, 8000U);
  });
}

TEST(compress, changes_nothing_for_large_items) {
  run_on({substrate_kind::threads, 2, 2}, [](world& w) {
    conveyor<item_of<2000>> c(w, {.buffer_bytes = 100000, .compress = true});
    checked_session<item_of<2000>>(w, c, 500);
    EXPECT_EQ(c.session_statistics().hops.at(0).saved_bytes, 0);
  });
}

TEST(compress, changes_nothing_in_elastic_conveyors) {
  run_on({substrate_kind::threads, 2, 2}, [](world& w) {
    elastic_conveyor c(w, 1000, {.compress = true});
    const session s = c.begin();
    int left = 1000;
    int arrived = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push("the same every time", 1 - w.rank())) --left;
      while (const auto item = c.pull()) {
        EXPECT_EQ(item->text(), "the same every time");
        ++arrived;
      }
    }
    EXPECT_EQ(arrived, 1000);
    EXPECT_EQ(c.session_statistics().hops.at(0).saved_bytes, 0);
  });
}

}  // namespace
}  // namespace boxcar::test::compressed_conveyor_test
