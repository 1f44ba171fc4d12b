/* The collectives of teams, of all types, on all PEs and on the PEs of even rank; reductions. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "families.h"

enum { many = 3 };

/* clang-format off */
/* Element i of PE p is p + i. */
#define CHECK_COLLECTIVES(OP, NAME, TYPE) \
  static int check_##NAME(shmem_team_t team, TYPE* dest, TYPE* source) { \
    int wrong = 0; \
    const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team); \
    for (int i = 0; i < 2 * many * pes; i++) source[i] = (TYPE)(me + i % many); \
    shmem_team_sync(team); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_broadcast(team, dest, source, many, pes - 1), 0); \
    for (int i = 0; i < many; i++) EXPECT_EQUAL(wrong, dest[i], pes - 1 + i); \
    shmem_team_sync(team); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_fcollect(team, dest, source, many), 0); \
    for (int i = 0; i < many * pes; i++) EXPECT_EQUAL(wrong, dest[i], i / many + i % many); \
    shmem_team_sync(team); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_collect(team, dest, source, (size_t)(me % 2 + 1)), 0); \
    for (int pe = 0, at = 0; pe < pes; at += pe % 2 + 1, pe++) EXPECT_EQUAL(wrong, dest[at], pe); \
    shmem_team_sync(team); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_alltoall(team, dest, source, many), 0); \
    for (int i = 0; i < many * pes; i++) EXPECT_EQUAL(wrong, dest[i], i / many + i % many); \
    shmem_team_sync(team); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_alltoalls(team, dest, source, 2, 1, many), 0); \
    for (int i = 0; i < many * pes; i++) EXPECT_EQUAL(wrong, dest[2 * i], i / many + i % many); \
    shmem_team_sync(team); \
    return wrong; \
  }
BOXCAR_SHMEM_RMA_TYPES(CHECK_COLLECTIVES, )
#define CALL_COLLECTIVES(OP, NAME, TYPE) \
  wrong += check_##NAME(team, (TYPE*)dest_memory, (TYPE*)source_memory);

/* What PE `pe` gives: products stay small. */
static long given(int pe, int i) {
  return pe < 4 ? pe % 3 + i + 1 : 1;
}
static long expected_result(const char* operation, int pes, int i);

#define CHECK_REDUCE(OP, NAME, TYPE) \
  static int check_##NAME##OP(shmem_team_t team, TYPE* dest, TYPE* source) { \
    int wrong = 0; \
    const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team); \
    for (int i = 0; i < many; i++) source[i] = (TYPE)given(me, i); \
    EXPECT_EQUAL(wrong, shmem_##NAME##OP##_reduce(team, dest, source, many), 0); \
    for (int i = 0; i < many; i++) { \
      EXPECT_EQUAL(wrong, dest[i], (TYPE)expected_result(#OP, pes, i)); \
    } \
    EXPECT_EQUAL(wrong, shmem_##NAME##OP##_reduce(team, source, source, 2), 0); \
    EXPECT_EQUAL(wrong, source[1], (TYPE)expected_result(#OP, pes, 1)); \
    shmem_team_sync(team); \
    return wrong; \
  }
BOXCAR_SHMEM_BITS_TYPES(CHECK_REDUCE, _and)
BOXCAR_SHMEM_BITS_TYPES(CHECK_REDUCE, _or)
BOXCAR_SHMEM_BITS_TYPES(CHECK_REDUCE, _xor)
BOXCAR_SHMEM_RMA_TYPES(CHECK_REDUCE, _max)
BOXCAR_SHMEM_RMA_TYPES(CHECK_REDUCE, _min)
BOXCAR_SHMEM_SUM_TYPES(CHECK_REDUCE, _sum)
BOXCAR_SHMEM_SUM_TYPES(CHECK_REDUCE, _prod)
#define CALL_REDUCE(OP, NAME, TYPE) \
  wrong += check_##NAME##OP(team, (TYPE*)dest_memory, (TYPE*)source_memory);
/* clang-format on */

/* Combines what the PEs have given, one after the other. */
static long expected_result(const char* operation, int pes, int i) {
  long result = given(0, i);
  for (int pe = 1; pe < pes; pe++) {
    const long next = given(pe, i);
    if (strcmp(operation, "_and") == 0) result &= next;
    if (strcmp(operation, "_or") == 0) result |= next;
    if (strcmp(operation, "_xor") == 0) result ^= next;
    if (strcmp(operation, "_max") == 0 && next > result) result = next;
    if (strcmp(operation, "_min") == 0 && next < result) result = next;
    if (strcmp(operation, "_sum") == 0) result += next;
    if (strcmp(operation, "_prod") == 0) result *= next;
  }
  return result;
}

/* Calls the check on the PEs of even rank and on all PEs. */
static int on_teams(int (*check)(shmem_team_t, void*, void*)) {
  int wrong = 0;
  const int pes = shmem_n_pes();
  void* const source_memory = shmem_malloc(2 * many * (size_t)pes * sizeof(long double));
  void* const dest_memory = shmem_malloc(2 * many * (size_t)pes * sizeof(long double));
  shmem_team_t even;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &even);
  if (even != SHMEM_TEAM_INVALID) wrong += check(even, dest_memory, source_memory);
  shmem_team_destroy(even);
  shmem_barrier_all();
  wrong += check(SHMEM_TEAM_WORLD, dest_memory, source_memory);
  shmem_free(dest_memory);
  shmem_free(source_memory);
  return wrong;
}

static int check_moves(shmem_team_t team, void* dest_memory, void* source_memory) {
  int wrong = 0;
  BOXCAR_SHMEM_RMA_TYPES(CALL_COLLECTIVES, )
  const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
  char* const dest = dest_memory;
  char* const source = source_memory;
  for (int i = 0; i < pes; i++) source[i] = (char)(me + 1);
  shmem_team_sync(team);
  EXPECT_EQUAL(wrong, shmem_broadcastmem(team, dest, source, 1, 0), 0);
  EXPECT_EQUAL(wrong, dest[0], 1);
  shmem_team_sync(team);
  EXPECT_EQUAL(wrong, shmem_collectmem(team, dest, source, 1), 0);
  EXPECT_EQUAL(wrong, dest[pes - 1], pes);
  shmem_team_sync(team);
  EXPECT_EQUAL(wrong, shmem_fcollectmem(team, dest, source, 1), 0);
  shmem_team_sync(team);
  EXPECT_EQUAL(wrong, shmem_alltoallmem(team, dest, source, 1), 0);
  shmem_team_sync(team);
  EXPECT_EQUAL(wrong, shmem_alltoallsmem(team, dest, source, 2, 1, 1), 0);
  EXPECT_EQUAL(wrong, dest[2 * (pes - 1)], pes);
  shmem_team_sync(team);
  return wrong;
}

static int check_operators(shmem_team_t team, void* dest_memory, void* source_memory) {
  int wrong = 0;
  BOXCAR_SHMEM_BITS_TYPES(CALL_REDUCE, _and)
  BOXCAR_SHMEM_BITS_TYPES(CALL_REDUCE, _or)
  BOXCAR_SHMEM_BITS_TYPES(CALL_REDUCE, _xor)
  BOXCAR_SHMEM_RMA_TYPES(CALL_REDUCE, _max)
  BOXCAR_SHMEM_RMA_TYPES(CALL_REDUCE, _min)
  BOXCAR_SHMEM_SUM_TYPES(CALL_REDUCE, _sum)
  BOXCAR_SHMEM_SUM_TYPES(CALL_REDUCE, _prod)
  return wrong;
}

int check_team_collectives(void) {
  return on_teams(check_moves);
}

/* Also many elements, more than a PE combines at once. */
int check_reductions(void) {
  int wrong = on_teams(check_operators);
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  enum { elements = 20000 };
  int* const values = shmem_malloc(elements * sizeof(int));
  for (int i = 0; i < elements; i++) values[i] = me + i;
  EXPECT_EQUAL(wrong, shmem_sum_reduce(SHMEM_TEAM_WORLD, values, values, elements), 0);
  for (int i = 0; i < elements; i++) EXPECT_EQUAL(wrong, values[i], pes * (pes - 1) / 2 + pes * i);
  shmem_free(values);
  return wrong;
}
