// Tests of the families of functions of shmem.h within worlds made by `boxcar::run`.
#include "families.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "shmem.h"
#include "support/by_name.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::families_test {
namespace {

class families : public testing::TestWithParam<world_shape> {};

struct family {
  const char* name;
  int (*check)();
};

TEST_P(families, conform) {
  run_on(GetParam(), [](world&) {
    shmem_init();
    for (const family& f : {family{"identity", check_identity},
                            {"heap", check_heap},
                            {"typed moves", check_typed_moves},
                            {"sized moves", check_sized_moves},
                            {"atomic operations", check_atomic_families},
                            {"waiting", check_waiting},
                            {"signals", check_signals},
                            {"locks", check_locks},
                            {"contexts", check_contexts},
                            {"teams", check_teams},
                            {"collectives", check_team_collectives},
                            {"reductions", check_reductions},
                            {"active sets", check_active_sets},
                            {"old names", check_old_names}}) {
      EXPECT_EQ(f.check(), 0) << f.name;
    }
    shmem_finalize();
  });
}

long variable = 3;

// Variables are symmetric on processes, and refused with the remedy on threads.
TEST_P(families, variables) {
  run_on(GetParam(), [](world& w) {
    shmem_init();
    if (GetParam().substrate == substrate_kind::processes || w.size() == 1) {
      EXPECT_EQ(check_variables(), 0);
    } else if (GetParam().substrate == substrate_kind::threads) {
      expect_mentions(thrown_by<argument_error>([] { shmem_long_p(&variable, 1, 0); }),
                      {"shmem_long_p", "variable of the program", "threads", "shmem_malloc"});
      EXPECT_EQ(shmem_addr_accessible(&variable, 0), 0);
    }
    shmem_finalize();
  });
}

// What is wrong is an error with the value.
TEST_P(families, mistakes) {
  run_on(GetParam(), [](world& w) {
    shmem_init();
    auto* const words = static_cast<long*>(shmem_calloc(8, sizeof(long)));
    auto* const other = reinterpret_cast<shmem_ctx_t>(words);
    expect_mentions(thrown_by<argument_error>([&] { shmem_ctx_long_p(other, words, 1, 0); }),
                    {"shmem_ctx_long_p", "no such context"});
    shmem_ctx_t context = SHMEM_CTX_INVALID;
    shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, &context);
    expect_mentions(
        thrown_by<argument_error>([&] { shmem_ctx_long_p(context, words, 1, w.size()); }),
        {"shmem_ctx_long_p", "PE " + std::to_string(w.size())});
    expect_mentions(
        thrown_by<argument_error>([&] { shmem_team_n_pes(reinterpret_cast<shmem_team_t>(words)); }),
        {"shmem_team_n_pes", "no such team"});
    expect_mentions(thrown_by<argument_error>([] { shmem_team_destroy(SHMEM_TEAM_WORLD); }),
                    {"shmem_team_destroy", "SHMEM_TEAM_WORLD"});
    expect_mentions(thrown_by<argument_error>([&] { shmem_barrier(0, 0, w.size() + 1, words); }),
                    {"shmem_barrier", "PE_size=" + std::to_string(w.size() + 1)});
    expect_mentions(thrown_by<argument_error>([&] { shmem_sync(0, -1, 1, words); }),
                    {"shmem_sync", "logPE_stride=-1"});
    expect_mentions(thrown_by<argument_error>([&] {
                      shmem_long_put_signal(words, words, 1, reinterpret_cast<uint64_t*>(words), 1,
                                            9, 0);
                    }),
                    {"shmem_long_put_signal", "signal operation 9"});
    expect_mentions(thrown_by<argument_error>([&] {
                      shmem_long_broadcast(SHMEM_TEAM_WORLD, words, words + 1, 1, w.size());
                    }),
                    {"shmem_long_broadcast", "root", std::to_string(w.size())});
    shmem_barrier_all();
    shmem_finalize();
  });
}

// Every function is called on every shape: small worlds will do.
std::vector<world_shape> small_shapes() {
  constexpr int most_pes = 4;
  std::vector<world_shape> shapes = several_shapes();
  std::erase_if(shapes, [](const world_shape& s) { return s.pes > most_pes; });
  return shapes;
}

INSTANTIATE_TEST_SUITE_P(worlds, families, testing::ValuesIn(small_shapes()), by_name{});

}  // namespace
}  // namespace boxcar::test::families_test
