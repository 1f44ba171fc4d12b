// Tests of released memory: sessions leave nothing behind that grows, conveyors nothing at all.
#include <gtest/gtest.h>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_biconveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "memory/allocation_meter.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::lasting_memory_test {
namespace {

constexpr std::size_t monster_bytes = 50'000;

std::vector<conveyor_setup> setups_of(setup_filter filter) {
  return plain_setups({{substrate_kind::threads, 1, 1},
                       {substrate_kind::threads, 4, 1},
                       {substrate_kind::threads, 4, 2}},
                      filter);
}

class lasting_memory : public testing::TestWithParam<conveyor_setup> {
 protected:
  // Calls `use` often; the memory of the PEs must be the same afterwards.
  static void expect_nothing_left(const std::function<void(world&)>& use) {
    run_on(GetParam().shape, [&](world& w) {
      use(w);  // allocates permanent memory
      const allocation_meter meter(w);
      for (int i = 0; i < 5; ++i) use(w);
      EXPECT_LE(meter.held_per_pe(), 0);
    });
  }
};

TEST_P(lasting_memory, is_not_left_by_conveyors) {
  expect_nothing_left([](world& w) {
    conveyor<long> c(w, GetParam().options);
    for (int i = 0; i < 2; ++i) {
      const session s = c.begin();
      long left = 1000;
      long item = 0;
      while (c.advance(left == 0)) {
        while (left > 0 && c.push(left, static_cast<int>(left % w.size()))) --left;
        while (c.pull(item)) {
        }
      }
    }
  });
}

TEST_P(lasting_memory, is_not_left_by_biconveyors) {
  expect_nothing_left([](world& w) {
    biconveyor<long, int> c(w, GetParam().options);
    const session s = c.begin([](long n) { return static_cast<int>(n); });
    int left = 1000;
    int reply = 0;
    while (c.advance(left == 0)) {
      while (left > 0 && c.push(left, left % w.size())) --left;
      while (c.pull(reply)) {
      }
    }
  });
}

using lasting_elastic_memory = lasting_memory;

TEST_P(lasting_elastic_memory, is_not_left_by_conveyors) {
  expect_nothing_left([](world& w) {
    elastic_conveyor c(w, monster_bytes, GetParam().options);
    const std::vector<std::byte> monster(monster_bytes);
    const session s = c.begin();
    int left = 100;
    while (c.advance(left == 0)) {
      while (left > 0 &&
             c.push(std::span(monster).first(left % 3 == 0 ? monster_bytes : 5), left % w.size())) {
        --left;
      }
      while (c.pull(64)) {
      }
    }
  });
}

TEST_P(lasting_elastic_memory, is_not_left_by_biconveyors) {
  expect_nothing_left([](world& w) {
    elastic_biconveyor c(w, monster_bytes, monster_bytes, GetParam().options);
    const std::vector<std::byte> monster(monster_bytes);
    const session s = c.begin([](std::span<const std::byte> query, std::vector<std::byte>& reply) {
      reply.assign(query.begin(), query.end());
    });
    int left = 100;
    std::vector<std::byte> reply;
    while (c.advance(left == 0)) {
      while (left > 0 &&
             c.push(std::span(monster).first(left % 3 == 0 ? monster_bytes : 5), left % w.size())) {
        --left;
      }
      while (c.pull(reply)) {
      }
    }
  });
}

// Sessions of one conveyor, in a row.
TEST_P(lasting_memory, does_not_grow_from_session_to_session) {
  run_on(GetParam().shape, [](world& w) {
    conveyor<long> c(w, GetParam().options);
    const auto one_session = [&] {
      const session s = c.begin();
      EXPECT_TRUE(c.push(1, 0));
      long item = 0;
      while (c.advance(true)) {
        while (c.pull(item)) {
        }
      }
    };
    one_session();
    one_session();  // brings the statistics of all sessions to their final size
    const allocation_meter meter(w);
    for (int i = 0; i < 10; ++i) one_session();
    EXPECT_LE(meter.held_per_pe(), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(memory, lasting_memory, testing::ValuesIn(setups_of(is_fixed_size)),
                         by_name{});
INSTANTIATE_TEST_SUITE_P(memory, lasting_elastic_memory, testing::ValuesIn(setups_of(is_elastic)),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::lasting_memory_test
