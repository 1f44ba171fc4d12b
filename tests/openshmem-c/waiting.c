/* Waiting for variables and testing variables; puts with a signal; locks. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"
#include "families.h"

/* clang-format off */
/* The PE to the left writes 1, 2, 3, 4; the second variable is excluded. */
#define CHECK_WAIT(OP, NAME, TYPE) \
  static int check_wait_##NAME(TYPE* a) { \
    int wrong = 0; \
    const int right = (shmem_my_pe() + 1) % shmem_n_pes(); \
    const int status[4] = {0, 1, 0, 0}, none[4] = {1, 1, 1, 1}; \
    TYPE values[4] = {1, 7, 3, 4}; \
    size_t indices[4] = {9, 9, 9, 9}; \
    memset(a, 0, 4 * sizeof(TYPE)); \
    shmem_barrier_all(); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test(a, SHMEM_CMP_NE, 0), 0); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_all(a, 4, NULL, SHMEM_CMP_EQ, 0), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_any(a, 4, NULL, SHMEM_CMP_GT, 0), SIZE_MAX); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_some(a, 4, indices, NULL, SHMEM_CMP_GT, 0), 0); \
    shmem_barrier_all(); \
    shmem_##NAME##_p(a + 2, 3, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_any(a, 4, status, SHMEM_CMP_GE, 1), 2); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_some(a, 4, indices, NULL, SHMEM_CMP_NE, 0), 1); \
    EXPECT_EQUAL(wrong, indices[0], 2); \
    shmem_barrier_all(); \
    for (int i = 0; i < 4; i++) shmem_##NAME##_p(a + i, (TYPE)(i + 1), right); \
    shmem_##NAME##_wait_until(a + 3, SHMEM_CMP_GT, 3); \
    shmem_##NAME##_wait_until_all(a, 4, NULL, SHMEM_CMP_NE, 0); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test(a + 1, SHMEM_CMP_LE, 2), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_all(a, 4, NULL, SHMEM_CMP_LT, 5), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_all(a, 4, NULL, SHMEM_CMP_LT, 4), 0); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_any(a, 4, status, SHMEM_CMP_EQ, 3), 2); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_some(a, 4, indices, status, SHMEM_CMP_GE, 1), 3); \
    EXPECT_EQUAL(wrong, indices[1], 2); \
    shmem_##NAME##_wait_until_all_vector(a, 4, status, SHMEM_CMP_EQ, values); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_any_vector(a + 1, 3, NULL, SHMEM_CMP_EQ, values + 1), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_some_vector(a, 4, indices, NULL, SHMEM_CMP_EQ, values), 3); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_all_vector(a, 4, NULL, SHMEM_CMP_EQ, values), 0); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_any_vector(a, 4, NULL, SHMEM_CMP_NE, values), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_test_some_vector(a, 4, indices, status, SHMEM_CMP_EQ, values), 3); \
    /* Nothing to wait for. */ \
    shmem_##NAME##_wait_until_all(a, 4, none, SHMEM_CMP_EQ, 99); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_any(a, 4, none, SHMEM_CMP_EQ, 99), SIZE_MAX); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_wait_until_some(a, 0, indices, NULL, SHMEM_CMP_EQ, 99), 0); \
    shmem_barrier_all(); \
    return wrong; \
  }
BOXCAR_SHMEM_SYNC_TYPES(CHECK_WAIT, )
#define CALL_WAIT(OP, NAME, TYPE) wrong += check_wait_##NAME((TYPE*)memory);
/* clang-format on */

int check_waiting(void) {
  int wrong = 0;
  void* const memory = shmem_malloc(4 * sizeof(long));
  BOXCAR_SHMEM_SYNC_TYPES(CALL_WAIT, )
  int* const words = memory;
  words[0] = words[1] = 5;
  EXPECT_EQUAL(wrong, shmem_test_any(words, 2, NULL, SHMEM_CMP_EQ, 5), 0);
  shmem_wait_until(words, SHMEM_CMP_EQ, 5);
  shmem_free(memory);
  return wrong;
}

/* clang-format off */
#define SEND(FUNCTION, ELEMENT_BYTES) \
  shmem_##FUNCTION##_signal(data, mine, 2, signal, 1, SHMEM_SIGNAL_ADD, right); \
  expected += 1; \
  EXPECT_EQUAL(wrong, shmem_signal_wait_until(signal, SHMEM_CMP_GE, expected) >= expected, 1); \
  EXPECT_EQUAL(wrong, memcmp(data, theirs, 2 * (ELEMENT_BYTES)), 0); \
  shmem_barrier_all(); \
  shmem_##FUNCTION##_signal_nbi(data, mine, 2, signal, expected + 1, SHMEM_SIGNAL_SET, right); \
  expected += 1; \
  (void)shmem_signal_wait_until(signal, SHMEM_CMP_EQ, expected); \
  EXPECT_EQUAL(wrong, memcmp(data, theirs, 2 * (ELEMENT_BYTES)), 0); \
  shmem_barrier_all(); \
  shmem_ctx_##FUNCTION##_signal(SHMEM_CTX_DEFAULT, data, mine, 1, signal, 1, SHMEM_SIGNAL_ADD, right); \
  shmem_ctx_##FUNCTION##_signal_nbi(SHMEM_CTX_DEFAULT, data, mine, 0, signal, 1, SHMEM_SIGNAL_ADD, right); \
  expected += 2; \
  (void)shmem_signal_wait_until(signal, SHMEM_CMP_EQ, expected); \
  shmem_barrier_all();
#define SEND_TYPE(OP, NAME, TYPE) \
  { \
    TYPE* const data = memory; \
    const TYPE mine[2] = {(TYPE)me, (TYPE)(me + 1)}; \
    TYPE theirs[2]; \
    memset(theirs, 0, sizeof theirs); \
    theirs[0] = (TYPE)left; \
    theirs[1] = (TYPE)(left + 1); \
    SEND(NAME##_put, equal_bytes(sizeof(TYPE))) \
  }
#define SEND_SIZE(BITS, BYTES) \
  { \
    char* const data = memory; \
    char mine[2 * (BYTES)], theirs[2 * (BYTES)]; \
    memset(mine, me + 1, sizeof mine); \
    memset(theirs, left + 1, sizeof theirs); \
    SEND(put##BITS, BYTES) \
  }
/* clang-format on */

/* The padding of two long doubles may differ: none of their bytes are compared. */
static size_t equal_bytes(size_t size) {
  return size > 8 ? 0 : size;
}

/* Other PEs write the next value while a PE waits: the wait returns the value that it waited for.
 */
static int check_values_of_signals(void) {
  int wrong = 0;
  enum { rounds = 3000 };
  uint64_t* const signals = shmem_calloc(2, sizeof *signals);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    for (uint64_t round = 1; round <= rounds; round++) {
      EXPECT_EQUAL(wrong, shmem_signal_wait_until(signals, SHMEM_CMP_EQ, 2 * round - 1),
                   2 * round - 1);
      shmem_uint64_atomic_set(signals + 1, round, 1);
    }
  } else if (shmem_my_pe() == 1) {
    for (uint64_t round = 1; round <= rounds; round++) {
      while (shmem_signal_fetch(signals + 1) != round) {
        shmem_uint64_atomic_set(signals, 2 * round - 1, 0);
        shmem_uint64_atomic_set(signals, 2 * round, 0);
      }
    }
  }
  shmem_barrier_all();
  shmem_free(signals);
  return wrong;
}

int check_signals(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
  void* const memory = shmem_malloc(2 * sizeof(long double));
  uint64_t* const signal = shmem_calloc(1, sizeof *signal);
  uint64_t expected = 0;
  BOXCAR_SHMEM_RMA_TYPES(SEND_TYPE, )
  BOXCAR_SHMEM_SIZES(SEND_SIZE)
  EXPECT_EQUAL(wrong, shmem_signal_fetch(signal), expected);
  shmem_barrier_all();
  char* const data = memory;
  char mine[2] = {1, 2}, theirs[2] = {1, 2};
  SEND(putmem, 1)
  shmem_put_signal(data, mine, 1, signal, 7, SHMEM_SIGNAL_SET, right);
  EXPECT_EQUAL(wrong, shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 7), 7);
  shmem_barrier_all();
  shmem_free(signal);
  shmem_free(memory);
  if (pes > 1) wrong += check_values_of_signals();
  return wrong;
}

/* Many critical sections, each of which reads and writes a sum on PE 0. */
int check_locks(void) {
  int wrong = 0;
  enum { rounds = 20 };
  long* const locks = shmem_calloc(2, sizeof(long));
  long* const sum = shmem_calloc(1, sizeof(long));
  for (int i = 0; i < rounds; i++) {
    if (i % 2 == 0) {
      shmem_set_lock(locks);
    } else {
      while (shmem_test_lock(locks) != 0) continue;
    }
    const long now = shmem_long_g(sum, 0);
    shmem_long_p(sum, now + 1, 0);
    shmem_clear_lock(locks);
  }
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, shmem_long_g(sum, 0), rounds * shmem_n_pes());
  /* A held lock refuses every PE, and another lock does not. */
  if (shmem_my_pe() == 0) shmem_set_lock(locks);
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, shmem_test_lock(locks), 1);
  shmem_set_lock(locks + 1);
  shmem_clear_lock(locks + 1);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) shmem_clear_lock(locks);
  shmem_barrier_all();
  shmem_free(sum);
  shmem_free(locks);
  return wrong;
}
