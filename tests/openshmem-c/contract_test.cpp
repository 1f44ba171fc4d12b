// Tests of the contract within worlds made by `boxcar::run`: PEs are threads, processes, or PEs of
// a cluster's job.
#include "contract.h"

#include <gtest/gtest.h>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "boxcar_shmemx.h"
#include "shmem.h"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::contract_test {
namespace {

struct part {
  const char* name;
  int (*check)();
};
class openshmem : public testing::TestWithParam<world_shape> {};

TEST_P(openshmem, contract) {
  run_on(GetParam(), [](world& w) {
    shmem_init();
    EXPECT_EQ(shmem_my_pe(), w.rank());
    EXPECT_EQ(shmem_n_pes(), w.size());
    for (const part& p : {part{"puts and gets", check_puts_and_gets},
                          {"atomics", check_atomics},
                          {"order", check_order},
                          {"memory", check_memory},
                          {"polling", check_polling},
                          {"counters", check_counters},
                          {"counted data", check_counted_data},
                          {"append", check_append},
                          {"rounds", check_append_rounds}}) {
      EXPECT_EQ(p.check(), 0) << p.name;
    }
    shmem_finalize();
    // Once more in the same world.
    shmem_init();
    EXPECT_EQ(check_counters(), 0);
    shmem_finalize();
  });
}

// A mistake is an exception for C++.
TEST_P(openshmem, mistakes_are_thrown) {
  run_on(GetParam(), [](world& w) {
    expect_mentions(thrown_by<contract_error>([] { static_cast<void>(shmem_my_pe()); }),
                    {"shmem_my_pe", "shmem_init"});
    shmem_init();
    long here = 0;
    auto* const there = static_cast<long*>(shmem_malloc(sizeof(long)));
    expect_mentions(thrown_by<argument_error>([&] { shmem_long_p(&here, 1, 0); }),
                    {"shmem_long_p", "8 bytes at 0x", "symmetric memory", "shmem_malloc"});
    expect_mentions(thrown_by<argument_error>([&] { shmem_long_p(there, 1, w.size()); }),
                    {"shmem_long_p", "PE " + std::to_string(w.size())});
    EXPECT_EQ(shmem_malloc(std::size_t{1} << 40), nullptr);
    EXPECT_EQ(shmem_malloc(0), nullptr);
    shmem_free(nullptr);
    shmem_free(there);
    shmem_finalize();
  });
}

// All PEs give the same block, and the same size.
TEST_P(openshmem, blocks_that_differ) {
  run_on(GetParam(), [](world& w) {
    shmem_init();
    auto* const a = static_cast<char*>(shmem_malloc(64));
    auto* const b = static_cast<char*>(shmem_malloc(64));
    const bool is_last = w.rank() == w.size() - 1;
    if (w.size() > 1) {
      expect_mentions(thrown_by<argument_error>([&] { shmem_free(is_last ? a : b); }),
                      {"shmem_free", "disagree", "place in symmetric memory"});
      shmemx_oct_t oct = nullptr;
      expect_mentions(
          thrown_by<argument_error>([&] { shmemx_oct_create(&oct, a, is_last ? 8 : 16); }),
          {"shmemx_oct_create", "disagree", "size", "8", "16"});
    }
    shmem_putmem(nullptr, nullptr, 0, w.size() - 1);
    shmem_getmem(nullptr, nullptr, 0, w.size() - 1);
    EXPECT_THROW(shmem_long_get(nullptr, reinterpret_cast<long*>(a), SIZE_MAX / 4, 0),
                 argument_error);
    shmemx_oct_t none;
    shmemx_oct_create(&none, nullptr, 0);
    EXPECT_EQ(shmemx_push(none, "abc", 3, w.size() - 1), 0U);
    shmemx_oct_destroy(&none);
    shmem_free(b);
    shmem_free(a);
    shmem_finalize();
  });
}

// A world within another has an OpenSHMEM of its own.
TEST_P(openshmem, of_a_world_within_another) {
  run_on(GetParam(), [](world& w) {
    shmem_init();
    run(1, [](world&) {
      EXPECT_THROW(static_cast<void>(shmem_n_pes()), contract_error);
      shmem_init();
      EXPECT_EQ(shmem_n_pes(), 1);
      shmem_finalize();
      shmem_init();
    });
    EXPECT_EQ(shmem_n_pes(), w.size());
    shmem_finalize();
  });
}

// The OpenSHMEM of a world ends with the world; the next world begins anew.
TEST_P(openshmem, may_end_without_finalize) {
  for (int i = 0; i < 2; ++i) {
    run_on(GetParam(), [](world& w) {
      shmem_init();
      auto* const there = static_cast<long*>(shmem_calloc(1, sizeof(long)));
      shmem_long_p(there, 5, (w.rank() + 1) % w.size());
      if (w.rank() % 2 == 0) shmem_long_wait_until(there, SHMEM_CMP_EQ, 5);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(worlds, openshmem, testing::ValuesIn(several_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::contract_test
