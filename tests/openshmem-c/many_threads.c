/* Several threads of each PE put, count, wait for one another across PEs, and lock; what is
 * collective lets the other threads go on. */
#include <boxcar_shmemx.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 4, rounds = 50 };

static long sum, guarded, lock;
static long flags[threads], heard[threads];
static long started_collective, released;
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

/* The PE to the right waits for this thread, and the main thread waits for that PE. */
static void* release_right(void* unused) {
  shmem_long_wait_until(&started_collective, SHMEM_CMP_GE, 1);
  shmem_long_atomic_inc(&released, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_quiet();
  return unused;
}

/* PE 0 is in a collective when its other thread does what the other PEs wait for before they come
 * to the collective. The PEs release one another in turn. */
static void expect_release_in(void (*collective)(void)) {
  pthread_t other;
  started_collective = released = 0;
  shmem_barrier_all();
  pthread_create(&other, NULL, release_right, NULL);
  if (shmem_my_pe() != 0) shmem_long_wait_until(&released, SHMEM_CMP_GE, 1);
  shmem_long_p(&started_collective, 1, shmem_my_pe());
  collective();
  pthread_join(other, NULL);
  shmem_barrier_all();
}

static void* block;
static void allocate(void) {
  block = shmem_malloc(8);
}
static void reallocate(void) {
  block = shmem_realloc(block, 1000);
}
static void release(void) {
  shmem_free(block);
}

static long* in_heap_of(long value) {
  long* const made = shmem_malloc(sizeof(long));
  *made = value;
  shmem_barrier_all();
  return made;
}

static shmemx_ct_t counter;
static shmemx_oct_t buffer;
static long appended[4];
static void create_counter(void) {
  shmemx_ct_create(&counter);
}
static void free_counter(void) {
  shmemx_ct_free(&counter);
}
static void create_buffer(void) {
  shmemx_oct_create(&buffer, appended, sizeof appended);
}
static void free_buffer(void) {
  shmemx_oct_destroy(&buffer);
}

/* While the main thread waits for the counter and for the buffer, this thread puts what the PE to
 * the right waits for. */
static void* put_right(void* unused) {
  static long room;
  const long value = 7;
  const int right = (shmem_my_pe() + 1) % shmem_n_pes();
  shmemx_long_put_ct(counter, &room, &value, 1, right);
  (void)shmemx_push(buffer, &value, sizeof value, right);
  shmem_quiet();
  return unused;
}

static void expect_waits_let_others_in(void) {
  pthread_t other;
  pthread_create(&other, NULL, put_right, NULL);
  shmemx_ct_wait(counter, 1);
  shmemx_oct_wait(buffer, sizeof(long));
  pthread_join(other, NULL);
  shmem_barrier_all();
}

static void expect(const char* what, long actual, long expected) {
  if (actual == expected) return;
  fprintf(stderr, "PE %d: %s is %ld, not %ld\n", shmem_my_pe(), what, actual, expected);
  errors++;
}

/* Two threads split a team each, again and again, and add in what they have made. */
static shmem_team_t to_split[2];
static long parts[2], sums[2];
static void* split(void* number) {
  const long which = (long)(intptr_t)number;
  for (int round = 0; round < rounds; round++) {
    shmem_team_t made = SHMEM_TEAM_INVALID;
    if (shmem_team_split_strided(to_split[which], 0, 1, shmem_n_pes(), NULL, 0, &made) != 0) break;
    parts[which] = which + 1;
    shmem_long_sum_reduce(made, sums + which, parts + which, 1);
    if (sums[which] != (which + 1) * shmem_n_pes()) break;
    shmem_team_destroy(made);
    if (round == rounds - 1) return NULL;
  }
  return number;
}

static void expect_parallel_splits(void) {
  for (int i = 0; i < 2; i++) {
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, to_split + i);
  }
  pthread_t other;
  void* failed = NULL;
  pthread_create(&other, NULL, split, (void*)(intptr_t)1);
  expect("the split of the first team", split((void*)(intptr_t)0) != NULL, 0);
  pthread_join(other, &failed);
  expect("the split of the second team", failed != NULL, 0);
  for (int i = 0; i < 2; i++) shmem_team_destroy(to_split[i]);
}

static void* finalize(void* unused) {
  shmem_finalize();
  return unused;
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
  expect_release_in(allocate);
  expect_release_in(reallocate);
  expect_release_in(release);
  expect_release_in(shmem_barrier_all);
  expect_release_in(create_counter);
  expect_release_in(create_buffer);
  expect_waits_let_others_in();
  expect_parallel_splits();
  expect("the appended number", appended[0], 7);
  expect_release_in(free_buffer);
  expect_release_in(free_counter);
  /* Any thread may end, and the main thread may begin again. */
  pthread_t last;
  pthread_create(&last, NULL, finalize, NULL);
  pthread_join(last, NULL);
  shmem_init();
  expect("the number after a new beginning", shmem_long_g(in_heap_of(1), 0), 1);
  const int failed = errors != 0;
  shmem_finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
