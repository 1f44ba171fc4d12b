// Tests of the C interface within a world made by `boxcar::run`: each PE uses the existing world.
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "biconvey.h"
#include "boxcar_world.h"
#include "convey.h"
#include "support/by_name.hpp"
#include "support/run_on.hpp"

namespace boxcar::test::threads_test {
namespace {

// Every PE sends its rank to every PE, `rounds` times. Returns the sum of the arrivals.
std::int64_t exchange_ranks(convey_t* c, int rounds) {
  const std::int64_t pes = boxcar_n_pes();
  const std::int64_t items = rounds * pes;
  std::int64_t sum = 0;
  EXPECT_EQ(convey_begin(c, sizeof(std::int64_t), 0), convey_OK);
  std::int64_t i = 0;
  while (convey_advance(c, i == items) > 0) {
    for (const std::int64_t me = boxcar_my_pe(); i < items; ++i) {
      if (convey_push(c, &me, i % pes) != convey_OK) break;
    }
    std::int64_t item;
    std::int64_t from;
    while (convey_pull(c, &item, &from) == convey_OK) {
      EXPECT_EQ(item, from);
      sum += item;
    }
  }
  EXPECT_EQ(convey_reset(c), convey_OK);
  return sum;
}

class c_interface_in_a_world : public testing::TestWithParam<world_shape> {};

TEST_P(c_interface_in_a_world, adopts_it) {
  run_on(GetParam(), [](world& w) {
    EXPECT_EQ(boxcar_my_pe(), w.rank());
    EXPECT_EQ(boxcar_n_pes(), w.size());
    EXPECT_EQ(boxcar_n_local(), w.local_size());
    const std::int64_t expected = std::int64_t{50} * w.size() * (w.size() - 1) / 2;
    for (int order = 1; order <= 3; ++order) {
      convey_t* c = convey_new_tensor(200, order, 1, 2, nullptr, 0);
      ASSERT_NE(c, nullptr);
      EXPECT_EQ(exchange_ranks(c, 50), expected);
      EXPECT_EQ(exchange_ranks(c, 50), expected);
      EXPECT_EQ(convey_free(c), convey_OK);
    }
    convey_t* c = convey_new_elastic(100, SIZE_MAX, 0, nullptr, convey_opt_DYNAMIC);
    EXPECT_EQ(exchange_ranks(c, 50), expected);
    EXPECT_EQ(convey_free(c), convey_OK);
  });
}

TEST_P(c_interface_in_a_world, answers_queries) {
  run_on(GetParam(), [](world& w) {
    biconvey_t* b = biconvey_new(SIZE_MAX, 0, nullptr, 0);
    const auto answer = [](const void* query, void* reply, void* context) {
      std::int64_t q;
      std::memcpy(&q, query, sizeof q);
      q = 2 * q + *static_cast<const int*>(context);
      std::memcpy(reply, &q, sizeof q);
    };
    int here = w.rank();
    EXPECT_EQ(biconvey_begin(b, 8, 8, answer, &here), convey_OK);
    std::int64_t asked = 0;
    std::int64_t replied = 0;
    while (biconvey_advance(b, asked == 300) > 0) {
      while (asked < 300 && biconvey_push(b, &asked, asked % w.size()) == convey_OK) ++asked;
      std::int64_t reply;
      for (; biconvey_pull(b, &reply) == convey_OK; ++replied) {
        EXPECT_EQ(reply, 2 * replied + replied % w.size());
      }
    }
    EXPECT_EQ(replied, 300);
    EXPECT_EQ(biconvey_free(b), convey_OK);
  });
}

// A call of another thread is refused, and changes nothing.
TEST_P(c_interface_in_a_world, belongs_to_one_thread) {
  run_on(GetParam(), [](world&) {
    convey_t* c = convey_new(SIZE_MAX, 0, nullptr, convey_opt_QUIET);
    biconvey_t* b = biconvey_new(SIZE_MAX, 0, nullptr, convey_opt_QUIET);
    EXPECT_EQ(convey_begin(c, 8, 0), convey_OK);
    std::thread([c, b] {
      EXPECT_EQ(convey_advance(c, true), convey_error_STATE);
      EXPECT_EQ(biconvey_begin(
                    b, 8, 8, [](const void*, void*, void*) {}, nullptr),
                convey_error_STATE);
      EXPECT_EQ(boxcar_barrier(), convey_error_STATE);
      EXPECT_EQ(convey_new(SIZE_MAX, 0, nullptr, convey_opt_QUIET), nullptr);
    }).join();
    while (convey_advance(c, true) > 0) continue;
    EXPECT_EQ(convey_free(c), convey_OK);
    EXPECT_EQ(biconvey_free(b), convey_OK);
  });
}

// Conveyors of failed PEs, which cannot free them, as a conveyor in C has no destructor. The vector
// is never destroyed, so that leak checkers see no leak.
auto& left_behind = *new std::vector<convey_t*>;

// The failure of a PE becomes a status on the other PEs, in whatever they wait.
TEST_P(c_interface_in_a_world, reports_its_failure) {
  if (GetParam().pes == 1) return;
  const world_report report = observe(GetParam(), [](world& w) {
    convey_t* c = convey_new(SIZE_MAX, 0, nullptr, convey_opt_QUIET);
    EXPECT_EQ(convey_begin(c, 8, 0), convey_OK);
    if (w.rank() == 0) {
      left_behind.push_back(c);
      throw contract_error("enough");
    }
    int status = convey_OK;
    while (status > 0) {
      std::int64_t item;
      convey_pull(c, &item, nullptr);
      status = convey_advance(c, true);
    }
    EXPECT_EQ(status, convey_error_WORLD);
    EXPECT_EQ(convey_free(c), convey_OK);
  });
  EXPECT_TRUE(report.failed);
}

INSTANTIATE_TEST_SUITE_P(world, c_interface_in_a_world, testing::ValuesIn(small_shapes()),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::threads_test
