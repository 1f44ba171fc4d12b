// Tests of the type-generic names of shmem.h in C++, which are overloaded functions.
#include <cstdint>
#include <gtest/gtest.h>

#include <boxcar/run.hpp>

#include "shmem.h"

namespace boxcar::test::overloads_test {
namespace {

template <typename T>
void move_and_back() {
  auto* const a = static_cast<T*>(shmem_malloc(4 * sizeof(T)));
  const T mine[2] = {5, 6};
  T got[4] = {};
  shmem_put(a, mine, 2, 0);
  shmem_iput(SHMEM_CTX_DEFAULT, a + 2, mine, 1, 1, 2, 0);
  shmem_p(a + 3, T{7}, 0);
  shmem_get(SHMEM_CTX_DEFAULT, got, a, 2, 0);
  shmem_iget(got + 2, a + 2, 1, 1, 2, 0);
  EXPECT_EQ(got[1], T{6});
  EXPECT_EQ(got[2], T{5});
  EXPECT_EQ(shmem_g(a + 3, 0), T{7});
  EXPECT_EQ(shmem_broadcast(SHMEM_TEAM_WORLD, a, a + 3, 1, 0), 0);
  EXPECT_EQ(a[0], T{7});
  EXPECT_EQ(shmem_sum_reduce(SHMEM_TEAM_WORLD, a, a, 1), 0);
  shmem_free(a);
}

template <typename T>
void update() {
  auto* const a = static_cast<T*>(shmem_calloc(2, sizeof(T)));
  shmem_atomic_add(a, T{3}, 0);
  shmem_atomic_inc(SHMEM_CTX_DEFAULT, a, 0);
  EXPECT_EQ(shmem_atomic_fetch_add(a, T{1}, 0), T{4});
  EXPECT_EQ(shmem_atomic_compare_swap(a, T{5}, T{8}, 0), T{5});
  EXPECT_EQ(shmem_fadd(a, T{1}, 0), T{8});
  shmem_wait_until(a, SHMEM_CMP_EQ, T{9});
  EXPECT_EQ(shmem_test_any(a, 2, nullptr, SHMEM_CMP_EQ, T{9}), 0U);
  shmem_free(a);
}

TEST(openshmem_overloads, select_functions_by_type) {
  run(1, [](world&) {
    shmem_init();
    move_and_back<char>();
    move_and_back<signed char>();
    move_and_back<unsigned short>();
    move_and_back<std::int64_t>();
    move_and_back<unsigned long long>();
    move_and_back<float>();
    move_and_back<long double>();
    update<int>();
    update<long long>();
    update<std::size_t>();
    auto* const bits = static_cast<std::uint32_t*>(shmem_calloc(1, sizeof(std::uint32_t)));
    shmem_atomic_or(bits, 6U, 0);
    EXPECT_EQ(shmem_atomic_fetch_xor(SHMEM_CTX_DEFAULT, bits, 3U, 0), 6U);
    shmem_free(bits);
    EXPECT_EQ(shmem_sync(SHMEM_TEAM_WORLD), 0);
    shmem_finalize();
  });
}

}  // namespace
}  // namespace boxcar::test::overloads_test
