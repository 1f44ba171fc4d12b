// Dynamic memory: buffers are held during sessions only; nothing is left of them between.
#include <functional>
#include <gtest/gtest.h>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>

#include "memory/allocation_meter.hpp"
#include "support/by_name.hpp"
#include "support/conveyor_setup.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::dynamic_memory_test {
namespace {

std::vector<world_shape> threads_only() {
  std::vector<world_shape> shapes = small_shapes();
  std::erase_if(shapes, [](const auto& s) { return s.substrate != substrate_kind::threads; });
  return shapes;
}

class dynamic_memory : public testing::TestWithParam<conveyor_setup> {
 protected:
  // The memory of a conveyor beside its buffers is less.
  static constexpr std::size_t buffer_bytes = 8192;

  static conveyor_options options() {
    conveyor_options options = GetParam().options;
    options.buffer_bytes = buffer_bytes;
    options.dynamic_memory = true;
    return options;
  }

  static void expect_dormant(const allocation_meter& meter, std::size_t said) {
    EXPECT_LT(meter.held_per_pe(), static_cast<std::int64_t>(buffer_bytes));
    EXPECT_LT(said, buffer_bytes);
  }
  static void expect_in_session(const allocation_meter& meter, std::size_t said) {
    EXPECT_GE(meter.held_per_pe(), 2 * static_cast<std::int64_t>(buffer_bytes));
    EXPECT_GE(said, 2 * buffer_bytes);
  }
};

TEST_P(dynamic_memory, of_a_conveyor) {
  run_on(GetParam().shape, [](world& w) {
    const allocation_meter meter(w);
    conveyor<int> c(w, options());
    const auto said = [&] { return c.session_statistics().memory_bytes; };
    for (int i = 0; i < 3; ++i) {
      expect_dormant(meter, said());
      const session s = c.begin();
      expect_in_session(meter, said());
      EXPECT_TRUE(c.push(1, 0));
      int item = 0;
      while (c.advance(true)) {
        while (c.pull(item)) {
        }
      }
    }
    expect_dormant(meter, said());
  });
}

TEST_P(dynamic_memory, of_a_biconveyor) {
  run_on(GetParam().shape, [](world& w) {
    const allocation_meter meter(w);
    biconveyor<int, int> c(w, options());
    const auto queries = [&] { return c.query_statistics().memory_bytes; };
    const auto replies = [&] { return c.reply_statistics().memory_bytes; };
    for (int i = 0; i < 3; ++i) {
      expect_dormant(meter, queries() + replies());
      const session s = c.begin([](int n) { return n; });
      expect_in_session(meter, queries());
      expect_in_session(meter, replies());
      EXPECT_TRUE(c.push(1, 0));
      int reply = 0;
      while (c.advance(true)) {
        while (c.pull(reply)) {
        }
      }
    }
    expect_dormant(meter, queries() + replies());
  });
}

using dynamic_elastic_memory = dynamic_memory;

TEST_P(dynamic_elastic_memory, of_a_conveyor) {
  run_on(GetParam().shape, [](world& w) {
    const allocation_meter meter(w);
    elastic_conveyor c(w, 100'000, options());
    const auto said = [&] { return c.session_statistics().memory_bytes; };
    const std::vector<std::byte> monster(100'000);
    for (int i = 0; i < 3; ++i) {
      const session s = c.begin();
      expect_in_session(meter, said());
      EXPECT_TRUE(c.push(monster, w.rank()));
      while (c.advance(true)) {
        while (c.pull()) {
        }
      }
    }
    EXPECT_LT(said(), buffer_bytes);
    EXPECT_LT(meter.held_per_pe(), static_cast<std::int64_t>(monster.size() + buffer_bytes));
  });
}

INSTANTIATE_TEST_SUITE_P(memory, dynamic_memory,
                         testing::ValuesIn(plain_setups(threads_only(), is_fixed_size)), by_name{});
INSTANTIATE_TEST_SUITE_P(memory, dynamic_elastic_memory,
                         testing::ValuesIn(plain_setups(threads_only(), is_elastic)), by_name{});

}  // namespace
}  // namespace boxcar::test::dynamic_memory_test
