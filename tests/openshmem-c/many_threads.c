/* Several threads of each PE put, count, wait for one another across PEs, and lock. */
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 4, rounds = 50 };

static long sum, guarded, lock;
static long flags[threads], heard[threads];
static int errors;

/* Each thread plays with the thread of the same number on the PE to the right: one writes a round,
 * and waits for the round from the left. */
static void* play(void* number) {
  const long me = (long)(intptr_t)number;
  const int right = (shmem_my_pe() + 1) % shmem_n_pes();
  for (long round = 1; round <= rounds; round++) {
    shmem_long_atomic_add(&sum, 1, 0);
    shmem_long_p(flags + me, round, right);
    shmem_long_wait_until(flags + me, SHMEM_CMP_GE, round);
    shmem_long_atomic_inc(heard + me, right);
    while (!shmem_long_test(heard + me, SHMEM_CMP_GE, round)) continue;
  }
  shmem_set_lock(&lock);
  shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
  shmem_clear_lock(&lock);
  shmem_quiet();
  return NULL;
}

static void expect(const char* what, long actual, long expected) {
  if (actual == expected) return;
  fprintf(stderr, "PE %d: %s is %ld, not %ld\n", shmem_my_pe(), what, actual, expected);
  errors++;
}

int main(void) {
  int level = -1;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) != 0) return EXIT_FAILURE;
  expect("the level", level, SHMEM_THREAD_MULTIPLE);
  level = -1;
  shmem_query_thread(&level);
  expect("the level found", level, SHMEM_THREAD_MULTIPLE);
  pthread_t started[threads];
  for (long i = 0; i < threads; i++) {
    if (pthread_create(started + i, NULL, play, (void*)(intptr_t)i) != 0) return EXIT_FAILURE;
  }
  for (int i = 0; i < threads; i++) pthread_join(started[i], NULL);
  shmem_barrier_all();
  expect("the sum", shmem_long_g(&sum, 0), (long)threads * rounds * shmem_n_pes());
  expect("the guarded number", shmem_long_g(&guarded, 0), (long)threads * shmem_n_pes());
  long* const in_heap = shmem_calloc(1, sizeof(long));
  *in_heap = 1;
  expect("the reduction", shmem_long_sum_reduce(SHMEM_TEAM_WORLD, in_heap, in_heap, 1), 0);
  expect("the number of PEs", *in_heap, shmem_n_pes());
  shmem_free(in_heap);
  const int failed = errors != 0;
  shmem_finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
