/* Symmetric memory, puts and gets, atomic operations, order. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "expect.h"

int check_puts_and_gets(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
  enum { many = 3000 };
  double* const doubles = shmem_calloc(many, sizeof(double));
  short* const shorts = shmem_malloc(8 * sizeof(short));
  char* const bytes = shmem_malloc(100);
  double* const mine = malloc(many * sizeof(double));
  for (int i = 0; i < many; i++) mine[i] = me + i / 4.0;
  memset(bytes, 7, 100);
  memset(shorts, 0, 8 * sizeof(short));
  shmem_barrier_all();

  shmem_double_put(doubles, mine, many, right);
  shmem_short_p(shorts + 3, (short)(100 + me), right);
  shmem_putmem(bytes + 1, "abc", 3, right);
  const uint32_t words[2] = {11, 12};
  shmem_put32(bytes + 40, words, 2, right);
  shmem_putmem(bytes, NULL, 0, right);
  shmem_barrier_all();
  for (int i = 0; i < many; i++) EXPECT_EQUAL(wrong, 4 * doubles[i], 4 * left + i);
  EXPECT_EQUAL(wrong, shorts[3], 100 + left);
  EXPECT_EQUAL(wrong, shorts[2], 0);
  EXPECT_EQUAL(wrong, memcmp(bytes, "\7abc\7", 5), 0);
  EXPECT_EQUAL(wrong, memcmp(bytes + 40, words, sizeof words), 0);

  double* const theirs = malloc(many * sizeof(double));
  shmem_double_get(theirs, doubles, many, right);
  for (int i = 0; i < many; i++) EXPECT_EQUAL(wrong, 4 * theirs[i], 4 * me + i);
  EXPECT_EQUAL(wrong, shmem_short_g(shorts + 3, me), 100 + left);
  char copy[3];
  shmem_getmem(copy, bytes + 1, 3, left);
  EXPECT_EQUAL(wrong, memcmp(copy, "abc", 3), 0);
  uint32_t two[2];
  shmem_get32(two, bytes + 40, 2, left);
  EXPECT_EQUAL(wrong, two[1], 12);
  const double* const seen = shmem_ptr(doubles, right);
  if (seen != NULL) EXPECT_EQUAL(wrong, 4 * seen[1], 4 * me + 1);

  shmem_barrier_all();
  shmem_put(doubles + 2, mine, 1, right);
  shmem_p(doubles + 3, 0.25, right);
  shmem_quiet();
  EXPECT_EQUAL(wrong, 4 * shmem_g(doubles + 3, right), 1);
  shmem_get(theirs, doubles + 2, 2, right);
  EXPECT_EQUAL(wrong, 4 * theirs[0], 4 * me);
  EXPECT_EQUAL(wrong, 4 * theirs[1], 1);
  free(theirs);
  free(mine);
  shmem_free(bytes);
  shmem_free(shorts);
  shmem_free(doubles);
  return wrong;
}

int check_atomics(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  enum { rounds = 50 };
  long* const tickets = shmem_calloc(2, sizeof(long));
  unsigned long* const words = shmem_calloc(4, sizeof(unsigned long));
  long* const taken = shmem_calloc((size_t)(rounds * pes), sizeof(long));

  shmem_barrier_all(); /* Open MPI zeroes when other PEs may be at work already */

  /* Each ticket once. */
  for (int i = 0; i < rounds; i++) {
    const long ticket = i % 2 == 0 ? shmem_long_atomic_fetch_add(tickets, 1, 0)
                                   : shmem_atomic_fetch_inc(tickets, 0);
    shmem_long_atomic_inc(taken + ticket, pes - 1);
    shmem_long_atomic_add(tickets + 1, 3, 0);
  }
  shmem_barrier_all();
  if (me == 0) {
    EXPECT_EQUAL(wrong, tickets[0], rounds * pes);
    EXPECT_EQUAL(wrong, tickets[1], 3 * rounds * pes);
  }
  if (me == pes - 1) {
    for (int i = 0; i < rounds * pes; i++) EXPECT_EQUAL(wrong, taken[i], 1);
  }

  /* Exactly one PE is first. */
  const unsigned long before = shmem_ulong_atomic_compare_swap(words, 0, (unsigned long)me + 1, 0);
  shmem_barrier_all();
  const unsigned long winner = shmem_ulong_atomic_fetch(words, 0);
  EXPECT_EQUAL(wrong, before == 0, winner == (unsigned long)me + 1);
  EXPECT_EQUAL(wrong, shmem_ulong_atomic_swap(words + 1, 5, me), 0);
  EXPECT_EQUAL(wrong, words[1], 5);
  shmem_ulong_atomic_set(words + 2, 6 + (unsigned long)me, (me + 1) % pes);
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, words[2], 6 + (me + pes - 1) % pes);
  EXPECT_EQUAL(wrong, words[3], 0);
  shmem_free(taken);
  shmem_free(words);
  shmem_free(tickets);
  return wrong;
}

/* Around a ring: data, a fence, a flag. */
int check_order(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes;
  enum { rounds = 30, many = 700 };
  int* const data = shmem_malloc(many * sizeof(int));
  long* const flags = shmem_calloc(2, sizeof(long));
  int mine[many];
  shmem_barrier_all();
  for (int round = 1; round <= rounds; round++) {
    for (int i = 0; i < many; i++) mine[i] = 1000 * round + i;
    shmem_int_put(data, mine, many, right);
    shmem_fence();
    shmem_long_p(flags, round, right);
    shmem_long_wait_until(flags, SHMEM_CMP_GE, round);
    EXPECT_EQUAL(wrong, data[0], 1000 * round);
    EXPECT_EQUAL(wrong, data[many - 1], 1000 * round + many - 1);
    /* The other PE reads the put value. */
    shmem_long_atomic_inc(flags + 1, (me + pes - 1) % pes);
    shmem_long_wait_until(flags + 1, SHMEM_CMP_GT, round - 1);
  }
  shmem_barrier_all();
  shmem_free(flags);
  shmem_free(data);
  return wrong;
}

/* Blocks do not overlap, and freed blocks can be allocated again. */
int check_memory(void) {
  int wrong = 0;
  const int me = shmem_my_pe();
  char* first = NULL;
  for (int round = 0; round < 20; round++) {
    char* const a = shmem_malloc(100000);
    char* const b = shmem_calloc(300, 1000);
    EXPECT_EQUAL(wrong, a != NULL && b != NULL, 1);
    if (a == NULL || b == NULL) return wrong;
    if (first == NULL) first = a;
    memset(a, me + 1, 100000);
    for (size_t i = 0; i < 300000; i += 999) EXPECT_EQUAL(wrong, b[i], 0);
    memset(b, me + 2, 300000);
    EXPECT_EQUAL(wrong, a[99999], (char)(me + 1));
    shmem_free(a);
    shmem_free(b);
  }
  return wrong;
}

/* Programs poll memory that other PEs write, and lock by a word of their own. */
int check_polling(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes;
  enum { rounds = 3 };
  long* const words = shmem_calloc(4, sizeof(long)); /* three flags; a lock, on PE 0 */
  shmem_barrier_all();
  for (long round = 1; round <= rounds; round++) {
    shmem_long_atomic_set(words, round, right);
    while (shmem_long_atomic_fetch(words, me) < round) {
    }
    shmem_long_p(words + 1, round, right);
    while (shmem_long_g(words + 1, me) < round) {
    }
    shmem_long_p(words + 2, round, right);
    while (__atomic_load_n(words + 2, __ATOMIC_ACQUIRE) < round) shmem_quiet();

    while (shmem_long_atomic_compare_swap(words + 3, 0, me + 1, 0) != 0) {
    }
    EXPECT_EQUAL(wrong, shmem_long_atomic_fetch(words + 3, 0), me + 1);
    shmem_long_atomic_set(words + 3, 0, 0);
    shmem_barrier_all();
  }
  shmem_free(words);
  return wrong;
}
