// Tests of distributed arrays: the placement of elements, and all kinds of access against a serial
// model.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <boxcar/distributed_array.hpp>

#include "collections/scratch_folder.hpp"
#include "support/by_name.hpp"
#include "support/dice.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::distributed_array_test {
namespace {

constexpr std::array layouts{array_layout::block, array_layout::cyclic};

// Sizes around the number of PEs, and larger ones.
std::vector<std::size_t> sizes_for(const world& w) {
  const auto pes = static_cast<std::size_t>(w.size());
  return {0, 1, pes - 1, pes, pes + 1, 3 * pes + 2, 1000};
}

class distributed_arrays : public testing::TestWithParam<world_shape> {};

TEST_P(distributed_arrays, are_spread_evenly) {
  run_on(GetParam(), [](world& w) {
    for (const array_layout layout : layouts) {
      for (const std::size_t size : sizes_for(w)) {
        distributed_array<char> a(w, size, {.layout = layout});
        ASSERT_EQ(a.size(), size);
        ASSERT_EQ(a.layout(), layout);
        const std::size_t here = a.local().size();
        EXPECT_LE(w.reduce(here, maximum()) - w.reduce(here, minimum()), 1U);
        EXPECT_EQ(w.reduce(here), size);
        for (std::size_t i = 0; i != here; ++i) {
          const std::size_t index = a.index_of(i);
          ASSERT_LT(index, size);
          ASSERT_EQ(a.owner(index), w.rank());
          ASSERT_EQ(a.local_index(index), i);
          const auto first = static_cast<std::size_t>(w.rank());
          const auto pes = static_cast<std::size_t>(w.size());
          ASSERT_EQ(index, layout == array_layout::block ? a.index_of(0) + i : first + i * pes);
        }
      }
    }
  });
}

// A random program, which all PEs know: each PE applies the operations of all PEs to its model of
// the whole array.
class array_program {
 public:
  array_program(world& w, std::size_t size, array_layout layout)
      : world_(w), files_(w), model_(size), a_(w, size, options(layout)) {
    add_ = a_.visitor([](std::int64_t& x, std::int64_t d) { x += d; });
    add_both_ = a_.visitor([](std::int64_t& x, std::int8_t a, const std::int64_t& b) {
      x += a;
      x += b;
    });
    increment_ = a_.visitor([](std::int64_t& x) { ++x; });
  }

  void run(int rounds) {
    dice common(program_seed(17));
    for (int round = 0; round < rounds; ++round) {
      act(common.below(9), round);
      world_.barrier();
      expect_model();
      world_.barrier();
    }
  }

 private:
  struct change {
    std::size_t index;
    std::int64_t number;
  };

  static distributed_array_options options(array_layout layout) {
    distributed_array_options o;
    o.layout = layout;
    o.stream.buffer_bytes = 256;
    return o;
  }

  // Returns the changes of a PE in a round; some PEs have none.
  [[nodiscard]] std::vector<change> changes_of(int pe, int round) const {
    dice d(program_seed(static_cast<std::uint64_t>(1000 * round + pe)));
    std::vector<change> changes;
    if (model_.empty() || d.chance(20)) return changes;
    const int count = d.below(60);
    for (int i = 0; i < count; ++i) {
      changes.push_back(
          {static_cast<std::size_t>(d.below(static_cast<int>(model_.size()))), d.below(1000)});
    }
    return changes;
  }
  // As above, with different indices for different PEs.
  [[nodiscard]] std::vector<change> own_changes_of(int pe, int round) const {
    std::vector<change> changes = changes_of(pe, round);
    const auto pes = static_cast<std::size_t>(world_.size());
    std::erase_if(changes,
                  [&](const change& c) { return c.index % pes != static_cast<std::size_t>(pe); });
    std::ranges::stable_sort(changes, {}, &change::index);
    const auto same = std::ranges::unique(changes, {}, &change::index);
    changes.erase(same.begin(), same.end());
    return changes;
  }
  template <typename Apply>
  void apply_all(int round, bool own, const Apply& apply) {
    for (int pe = 0; pe < world_.size(); ++pe) {
      for (const change& c : own ? own_changes_of(pe, round) : changes_of(pe, round)) {
        apply(model_[c.index], c.number);
      }
    }
  }
  static std::vector<std::size_t> indices_of(const std::vector<change>& changes) {
    std::vector<std::size_t> indices;
    for (const change& c : changes) indices.push_back(c.index);
    return indices;
  }
  static std::vector<std::int64_t> numbers_of(const std::vector<change>& changes) {
    std::vector<std::int64_t> numbers;
    for (const change& c : changes) numbers.push_back(c.number);
    return numbers;
  }

  void act(int operation, int round) {
    const std::vector<change> changes = changes_of(world_.rank(), round);
    const std::vector<change> own = own_changes_of(world_.rank(), round);
    const auto plus = [](std::int64_t& x, std::int64_t n) { x += n; };
    const auto set = [](std::int64_t& x, std::int64_t n) { x = n; };
    switch (operation) {
      case 0:
        visit(changes);
        return apply_all(round, false, [](std::int64_t& x, std::int64_t n) { x += 2 * n + 3; });
      case 1:
        a_.scatter(indices_of(own), numbers_of(own));
        return apply_all(round, true, set);
      case 2:
        for (const change& c : own) a_.put(c.index, c.number);
        a_.flush_puts();
        return apply_all(round, true, set);
      case 3:
        for (const change& c : changes) a_.add(c.index, c.number);
        a_.flush_puts();
        return apply_all(round, false, plus);
      case 4:
        for (const change& c : own) EXPECT_EQ(a_.fetch_add(c.index, c.number), model_[c.index]);
        return apply_all(round, true, plus);
      case 5: {
        const auto results = a_.ask(
            indices_of(own), [](std::int64_t& x, std::int64_t n) { return std::exchange(x, n); },
            numbers_of(own));
        for (std::size_t i = 0; i != own.size(); ++i) EXPECT_EQ(results[i], model_[own[i].index]);
        return apply_all(round, true, set);
      }
      case 6:
        a_.fill(round);
        std::ranges::fill(model_, round);
        return;
      case 7:
        return save_and_load(round);
      default:
        return look_up(changes);
    }
  }
  void visit(const std::vector<change>& changes) {
    const session scope = a_.begin();
    for (const change& c : changes) {
      a_.tell(c.index, *add_, c.number);
      a_.tell(c.index, *add_both_, 2, c.number);
      a_.tell(c.index, *increment_);
    }
    a_.finish();
  }
  void save_and_load(int round) {
    const std::string name = files_.file("array");
    a_.save(name);
    const auto layout = layouts.at(static_cast<std::size_t>(round) % layouts.size());
    auto loaded = distributed_array<std::int64_t>::load(world_, name, {.layout = layout});
    ASSERT_EQ(loaded.size(), model_.size());
    ASSERT_EQ(loaded.layout(), layout);
    loaded.for_each_local(
        [&](std::size_t i, const std::int64_t& x) { EXPECT_EQ(x, model_[i]) << i; });
  }
  void look_up(const std::vector<change>& changes) {
    const auto indices = indices_of(changes);
    const auto gathered = a_.gather(indices);
    const auto asked = a_.ask(indices, [](const std::int64_t& x) { return x % 7 == 0; });
    ASSERT_EQ(gathered.size(), indices.size());
    ASSERT_EQ(asked.size(), indices.size());
    for (std::size_t i = 0; i != indices.size(); ++i) {
      const std::int64_t expected = model_[indices[i]];
      EXPECT_EQ(gathered[i], expected);
      EXPECT_EQ(asked[i], expected % 7 == 0);
      EXPECT_EQ(a_.get(indices[i]), expected);
      EXPECT_EQ(a_.load(indices[i]), expected);
    }
  }
  void expect_model() {
    a_.for_each_local([&](std::size_t i, std::int64_t& x) { ASSERT_EQ(x, model_[i]) << i; });
    EXPECT_EQ(a_.reduce(std::plus<>(), std::int64_t{5}),
              std::accumulate(model_.begin(), model_.end(), std::int64_t{5}));
  }

  world& world_;
  scratch_folder files_;
  std::vector<std::int64_t> model_;
  distributed_array<std::int64_t> a_;
  std::optional<array_visitor<std::tuple<std::int64_t>>> add_;
  std::optional<array_visitor<std::tuple<std::int8_t, std::int64_t>>> add_both_;
  std::optional<array_visitor<std::tuple<>>> increment_;
};

TEST_P(distributed_arrays, hold_what_a_serial_array_would_hold) {
  run_on(GetParam(), [](world& w) {
    for (const array_layout layout : layouts) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{2}, std::size_t{173}}) {
        array_program(w, size, layout).run(25);
      }
    }
  });
}

TEST_P(distributed_arrays, have_other_atomic_operations) {
  run_on(GetParam(), [](world& w) {
    distributed_array<std::uint32_t> a(w, 3, {.layout = array_layout::cyclic});
    const auto bit = std::uint32_t{1} << (w.rank() % 32);
    EXPECT_EQ(a.fetch_or(1, bit) & bit & (w.size() > 32 ? 0U : ~0U), 0U);
    if (w.rank() == w.size() - 1) {
      EXPECT_EQ(a.swap(0, 7), 0U);
      EXPECT_EQ(a.compare_swap(0, 6, 8), 7U);
      EXPECT_EQ(a.compare_swap(0, 7, 8), 7U);
      a.store(2, 9);
    }
    a.fence();
    a.flush_puts();
    w.barrier();
    EXPECT_EQ(a.load(0), 8U);
    EXPECT_EQ(a.load(1), w.reduce(bit, std::bit_or<>()));
    EXPECT_EQ(a.load(2), 9U);
    w.barrier();
  });
}

struct triple {
  float values[3];
};

// Visits of two arrays, whose visitors have messages of different sizes, and a session in which
// most PEs do nothing.
TEST_P(distributed_arrays, are_used_at_once) {
  run_on(GetParam(), [](world& w) {
    distributed_array<triple> triples(w, 10);
    std::vector<distributed_array<std::uint8_t>> bytes;
    for (int i = 0; i < 3; ++i) bytes.emplace_back(w, 20, distributed_array_options{});
    const auto set = triples.visitor([](triple& t, const triple& to) { t = to; });
    const auto add = bytes[1].visitor(
        [](std::uint8_t& b, std::uint8_t n) { b = static_cast<std::uint8_t>(b + n); });
    const session of_triples = triples.begin();
    const session of_bytes = bytes[1].begin(counting(1));
    if (w.rank() == w.size() / 2) {
      for (std::size_t i = 0; i != 10; ++i) {
        triples.tell(i, set, {{1, 2, static_cast<float>(i)}});
        bytes[1].tell(i, add, 3);
        bytes[1].tell(i, add, 4);
      }
      bytes[1].done();
    }
    bytes[1].finish();
    triples.finish();
    triples.for_each_local(
        [](std::size_t i, const triple& t) { EXPECT_EQ(t.values[2], static_cast<float>(i)); });
    EXPECT_EQ(bytes[1].reduce(std::plus<>(), 0), 70);
    EXPECT_EQ(bytes[0].reduce(std::plus<>(), 0), 0);
  });
}

// Combinations in the order of the indices: the operation is associative, and not commutative.
TEST_P(distributed_arrays, are_combined_in_order) {
  run_on(GetParam(), [](world& w) {
    struct range {
      std::int64_t first;
      std::int64_t last;
    };
    distributed_array<range> a(w, 50);
    a.for_each_local([](std::size_t i, range& r) {
      r.first = static_cast<std::int64_t>(i);
      r.last = r.first;
    });
    const auto join = [](const range& x, const range& y) {
      EXPECT_EQ(x.last + 1, y.first);
      return range{x.first, y.last};
    };
    const range all = a.reduce(join, range{-1, -1});
    EXPECT_EQ(all.first, -1);
    EXPECT_EQ(all.last, 49);
  });
}

TEST_P(distributed_arrays, move_in_a_session) {
  run_on(GetParam(), [](world& w) {
    distributed_array<int> first(w, 30);
    const auto add = first.visitor([](int& x, int n) { x += n; });
    std::optional<distributed_array<int>> a;
    {
      const session scope = first.begin();
      first.tell(7, add, 1);
      a.emplace(std::move(first));
      a->tell(7, add, 2);
      EXPECT_TRUE(a->on());
      a->finish();
    }
    distributed_array<int> other(w, 5);
    other = std::move(*a);
    EXPECT_EQ(other.size(), 30U);
    EXPECT_EQ(other.get(7), 3 * w.size());
    w.barrier();
  });
}

TEST_P(distributed_arrays, may_be_over_a_part_of_the_world) {
  run_on(GetParam(), [](world& w) {
    auto some = w.split(w.rank() % 2);
    ASSERT_TRUE(some.has_value());
    distributed_array<int> a(*some, 11, {.layout = array_layout::cyclic});
    const auto add = a.visitor([](int& x) { ++x; });
    {
      const session scope = a.begin();
      for (std::size_t i = 0; i != a.size(); ++i) a.tell(i, add);
      a.finish();
    }
    EXPECT_EQ(a.reduce(std::plus<>(), 0), 11 * some->size());
    const std::vector<std::size_t> indices{10, 0};
    EXPECT_EQ(a.gather(indices), std::vector<int>(2, some->size()));
  });
}

INSTANTIATE_TEST_SUITE_P(worlds, distributed_arrays, testing::ValuesIn(several_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::distributed_array_test
