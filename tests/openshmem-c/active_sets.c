/* The collectives of active sets: all PEs, and every second PE from PE 1 on. */
#include <shmem.h>
#include <stdint.h>

#include "expect.h"
#include "families.h"

enum { many = 5 };

/* An active set, and the calling PE's number in the set. */
struct set {
  int start, log_stride, size, me;
};

/* clang-format off */
#define SET_ARGUMENTS s.start, s.log_stride, s.size, sync
#define CHECK_MOVES(BITS, TYPE) \
  static int check_moves_##BITS(struct set s, TYPE* dest, TYPE* source, long* sync) { \
    int wrong = 0; \
    for (int i = 0; i < 2 * many * s.size; i++) source[i] = (TYPE)(100 * s.me + i % many); \
    dest[0] = 77; \
    shmem_barrier(SET_ARGUMENTS); \
    shmem_broadcast##BITS(dest, source, many, s.size - 1, SET_ARGUMENTS); \
    EXPECT_EQUAL(wrong, dest[0], s.me == s.size - 1 ? 77 : 100 * (s.size - 1)); \
    shmem_sync(SET_ARGUMENTS); \
    shmem_fcollect##BITS(dest, source, many, SET_ARGUMENTS); \
    for (int i = 0; i < many * s.size; i++) EXPECT_EQUAL(wrong, dest[i], 100 * (i / many) + i % many); \
    shmem_sync(SET_ARGUMENTS); \
    shmem_collect##BITS(dest, source, (size_t)(s.me % 2 + 1), SET_ARGUMENTS); \
    for (int i = 0, at = 0; i < s.size; at += i % 2 + 1, i++) EXPECT_EQUAL(wrong, dest[at], 100 * i); \
    shmem_sync(SET_ARGUMENTS); \
    shmem_alltoall##BITS(dest, source, many, SET_ARGUMENTS); \
    EXPECT_EQUAL(wrong, dest[many * s.size - 1], 100 * (s.size - 1) + many - 1); \
    shmem_sync(SET_ARGUMENTS); \
    shmem_alltoalls##BITS(dest, source, 1, 2, 1, SET_ARGUMENTS); \
    EXPECT_EQUAL(wrong, dest[s.size - 1], 100 * (s.size - 1) + 2 * s.me % many); \
    shmem_barrier(SET_ARGUMENTS); \
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) EXPECT_EQUAL(wrong, sync[i], SHMEM_SYNC_VALUE); \
    return wrong; \
  }
CHECK_MOVES(32, int32_t)
CHECK_MOVES(64, int64_t)

/* All PEs give 1 and 3, but the last gives 2 and 3. */
#define CHECK_TO_ALL(OP, NAME, TYPE) \
  static int check_to_all_##NAME##OP(struct set s, void* memory, long* sync) { \
    int wrong = 0; \
    TYPE* const source = (TYPE*)memory; \
    TYPE* const dest = source + 2; \
    TYPE* const work = dest + 2; \
    const int is_last = s.me == s.size - 1; \
    source[0] = is_last ? 2 : 1; \
    source[1] = 3; \
    shmem_##NAME##OP##_to_all(dest, source, 2, s.start, s.log_stride, s.size, work, sync); \
    EXPECT_EQUAL(wrong, dest[0], expected##OP(s.size)); \
    shmem_barrier(SET_ARGUMENTS); \
    return wrong; \
  }
static long expected_and(int size) { return size == 1 ? 2 : 0; }
static long expected_or(int size) { return size == 1 ? 2 : 3; }
static long expected_xor(int size) { return 2 + (size - 1) % 2; }
static long expected_max(int size) { return size < 1 ? 0 : 2; }
static long expected_min(int size) { return size == 1 ? 2 : 1; }
static long expected_sum(int size) { return size + 1; }
static long expected_prod(int size) { return size < 1 ? 0 : 2; }
BOXCAR_SHMEM_OLD_BITS_TYPES(CHECK_TO_ALL, _and)
BOXCAR_SHMEM_OLD_BITS_TYPES(CHECK_TO_ALL, _or)
BOXCAR_SHMEM_OLD_BITS_TYPES(CHECK_TO_ALL, _xor)
BOXCAR_SHMEM_OLD_ORDER_TYPES(CHECK_TO_ALL, _max)
BOXCAR_SHMEM_OLD_ORDER_TYPES(CHECK_TO_ALL, _min)
BOXCAR_SHMEM_OLD_SUM_TYPES(CHECK_TO_ALL, _sum)
BOXCAR_SHMEM_OLD_SUM_TYPES(CHECK_TO_ALL, _prod)
#define CALL_TO_ALL(OP, NAME, TYPE) wrong += check_to_all_##NAME##OP(s, dest, sync);
/* clang-format on */

static int check_set(struct set s, int64_t* dest, int64_t* source, long* sync) {
  int wrong = 0;
  wrong += check_moves_32(s, (int32_t*)dest, (int32_t*)source, sync);
  wrong += check_moves_64(s, dest, source, sync);
  BOXCAR_SHMEM_OLD_BITS_TYPES(CALL_TO_ALL, _and)
  BOXCAR_SHMEM_OLD_BITS_TYPES(CALL_TO_ALL, _or)
  BOXCAR_SHMEM_OLD_BITS_TYPES(CALL_TO_ALL, _xor)
  BOXCAR_SHMEM_OLD_ORDER_TYPES(CALL_TO_ALL, _max)
  BOXCAR_SHMEM_OLD_ORDER_TYPES(CALL_TO_ALL, _min)
  BOXCAR_SHMEM_OLD_SUM_TYPES(CALL_TO_ALL, _sum)
  BOXCAR_SHMEM_OLD_SUM_TYPES(CALL_TO_ALL, _prod)
  return wrong;
}

int check_active_sets(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const size_t elements = (size_t)(2 * many * pes + 20);
  int64_t* const dest = shmem_calloc(elements, sizeof(int64_t));
  int64_t* const source = shmem_calloc(elements, sizeof(int64_t));
  long* const sync = shmem_malloc(SHMEM_SYNC_SIZE * sizeof(long));
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  const struct set all = {0, 0, pes, me}, odd = {1, 1, pes / 2, me / 2};
  wrong += check_set(all, dest, source, sync);
  if (me % 2 == 1) wrong += check_set(odd, dest, source, sync);
  shmem_barrier_all();
  shmem_free(sync);
  shmem_free(source);
  shmem_free(dest);
  return wrong;
}
