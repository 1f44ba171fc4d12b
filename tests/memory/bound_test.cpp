// Tests of a bound on memory: objects stay below the bound if possible, and explain the choice.
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "memory/allocation_meter.hpp"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test::bound_test {
namespace {

constexpr std::size_t kibibyte = 1024;

struct bound_case {
  world_shape shape;
  std::string kind;
  conveyor_options options;
};

std::string name_of(const bound_case& c) {
  return name_of(c.shape) + "_" + c.kind;
}

void PrintTo(const bound_case& c, std::ostream* out) {
  *out << name_of(c);
}

std::vector<bound_case> cases() {
  using enum conveyor_kind;
  std::vector<bound_case> all;
  for (const auto& [pes, nodes] : std::vector<std::pair<int, int>>{
           {1, 1}, {8, 1}, {8, 2}, {17, 1}, {36, 1}, {64, 1}, {64, 8}}) {
    const world_shape shape{substrate_kind::threads, pes, nodes};
    all.push_back({shape, "automatic", {}});
    all.push_back({shape, "automatic_x4", {.buffers_per_link = 4}});
    all.push_back({shape, "tensor1", {.kind = tensor, .hops = 1}});
    all.push_back({shape, "tensor3", {.kind = tensor, .hops = 3}});
    all.push_back({shape, "simple", {.kind = simple}});
    all.push_back({shape, "twohop", {.kind = twohop}});
  }
  return tier_cases(std::move(all), [](const bound_case& c) { return c.kind; });
}

class memory_bound : public testing::TestWithParam<bound_case> {
 protected:
  // `held(w, bound)` makes an object with the bound and returns its memory.
  static void check(const std::function<std::int64_t(world&, std::size_t bound)>& held) {
    run_on(GetParam().shape, [&](world& w) {
      const std::int64_t least = held(w, 1);
      for (const std::size_t kibibytes : {16U, 24U, 40U, 64U, 100U, 256U, 1024U, 16384U}) {
        const auto bound = static_cast<std::int64_t>(kibibytes * kibibyte);
        EXPECT_LE(held(w, kibibytes * kibibyte), std::max(bound, least)) << kibibytes << " KiB";
      }
    });
  }

  static conveyor_options bounded_by(std::size_t bound) {
    conveyor_options options = GetParam().options;
    options.max_bytes = bound;
    return options;
  }
};

TEST_P(memory_bound, of_a_conveyor_is_kept) {
  check([](world& w, std::size_t bound) {
    const allocation_meter meter(w);
    const conveyor<long> c(w, bounded_by(bound));
    return meter.held_per_pe();
  });
}

// A compressing conveyor holds more memory, but only during sessions.
TEST_P(memory_bound, of_a_session_is_kept) {
  check([](world& w, std::size_t bound) {
    conveyor_options options = bounded_by(bound);
    options.compress = true;
    const allocation_meter meter(w);
    conveyor<long> c(w, options);
    const session s = c.begin();
    const std::int64_t held = meter.held_per_pe();
    long item = 0;
    while (c.advance(true)) EXPECT_FALSE(c.pull(item));
    return held;
  });
}

// Two conveyors share the bound.
TEST_P(memory_bound, of_a_biconveyor_is_kept) {
  check([](world& w, std::size_t bound) {
    const allocation_meter meter(w);
    const biconveyor<long, long> c(w, bounded_by(bound));
    return meter.held_per_pe();
  });
}

INSTANTIATE_TEST_SUITE_P(memory, memory_bound, testing::ValuesIn(cases()), by_name{});

// Less memory leads to more hops, and then to smaller buffers.
TEST(memory_bounds, choose_hops_and_buffers) {
  run_on({substrate_kind::threads, 64, 1}, [](world& w) {
    const auto made_with = [&](std::size_t bound) {
      return conveyor<long>(w, {.max_bytes = bound});
    };
    const conveyor<long> unbounded = made_with(0);
    const conveyor<long> roomy = made_with(std::size_t{1} << 30);
    const conveyor<long> tight = made_with(200 * kibibyte);
    const conveyor<long> tiny = made_with(1);
    expect_mentions(unbounded.explain(), {"one hop", "no bound is given", "64 links"});
    expect_mentions(roomy.explain(), {"one hop", "1073741824", "64 links"});
    expect_mentions(tight.explain(), {"two hops", "fewest whose buffers fit", "204800"});
    expect_mentions(tiny.explain(),
                    {"three hops", "groups of 4", "12 links", "nothing fits in 1 "});
    EXPECT_EQ(roomy.buffer_bytes(), unbounded.buffer_bytes());
    EXPECT_LE(tight.buffer_bytes(), roomy.buffer_bytes());
    EXPECT_LE(tiny.buffer_bytes(), 64U);
    EXPECT_GE(tiny.buffer_bytes(), sizeof(long));
  });
}

// Very little memory makes the size of the buffers decisive: few PEs gain nothing by more hops.
TEST(memory_bounds, choose_large_buffers_where_none_are_fair) {
  run_on({substrate_kind::threads, 4, 1}, [](world& w) {
    const conveyor<long> c(w, {.max_bytes = 16 * kibibyte});
    EXPECT_EQ(c.buffer_bytes(), 1024U);
    expect_mentions(c.explain(), {"one hop", "largest buffers", "16384"});
  });
  run_on({substrate_kind::threads, 64, 1}, [](world& w) {
    const conveyor<long> c(w, {.max_bytes = 24 * kibibyte});
    EXPECT_EQ(c.buffer_bytes(), 512U);
    expect_mentions(c.explain(), {"three hops", "largest buffers", "24576"});
  });
}

// A requested buffer size is not made smaller: more hops must do.
TEST(memory_bounds, leave_a_given_buffer_size_alone) {
  run_on({substrate_kind::threads, 64, 1}, [](world& w) {
    const conveyor<long> c(w, {.buffer_bytes = 8192, .max_bytes = 300 * kibibyte});
    EXPECT_EQ(c.buffer_bytes(), 8192U);
    expect_mentions(c.explain(), {"two hops", "16 links", "8192 bytes, as asked for"});
  });
}

TEST(memory_bounds, of_elastic_conveyors_are_kept) {
  run_on({substrate_kind::threads, 16, 1}, [](world& w) {
    for (const std::size_t bound : {32 * kibibyte, 100 * kibibyte, 1000 * kibibyte}) {
      const allocation_meter meter(w);
      const elastic_conveyor c(w, 100, {.max_bytes = bound});
      EXPECT_LE(meter.held_per_pe(), static_cast<std::int64_t>(bound));
      expect_mentions(c.explain(), {std::to_string(bound)});
    }
  });
}

}  // namespace
}  // namespace boxcar::test::bound_test
