/* Variables with static storage are symmetric where each PE is a process. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "families.h"

enum { many = 100000 };

long global = 17;                               /* .data */
static const char* const constant = "constant"; /* stays as it is */
static int before[3] = {1, 2, 3};
static double large[many]; /* .bss, many pages */
static long lock, work[SHMEM_SYNC_SIZE];
static uint64_t signal_word;
static char text[16];

/* A forked child has the variables as they were at the fork, and what it writes stays in the child.
 * The parent writes to the pipe after it has written the variable. */
static int check_fork(void) {
  int wrong = 0;
  int ends[2];
  char byte = 0;
  EXPECT_EQUAL(wrong, pipe(ends), 0);
  global = 5;
  const pid_t child = fork();
  if (child == 0) {
    const int found = read(ends[0], &byte, 1) == 1 && global == 5;
    global = 6;
    _exit(found ? 0 : 1);
  }
  global = 7;
  EXPECT_EQUAL(wrong, write(ends[1], &byte, 1), 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQUAL(wrong, status, 0);
  EXPECT_EQUAL(wrong, global, 7);
  close(ends[0]);
  close(ends[1]);
  return wrong;
}

int check_variables(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes, left = (me + pes - 1) % pes;
  static int count; /* within a function */
  count = 0;
  memset(large, 0, sizeof large);
  EXPECT_EQUAL(wrong, before[2], 3);
  EXPECT_EQUAL(wrong, strcmp(constant, "constant"), 0);
  EXPECT_EQUAL(wrong, shmem_addr_accessible(&global, right), 1);
  EXPECT_EQUAL(wrong, shmem_ptr(&global, me) == &global, 1);
  shmem_barrier_all();

  shmem_long_p(&global, 100 + me, right);
  shmem_int_atomic_add(&count, me + 1, 0);
  double mine[10];
  for (int i = 0; i < 10; i++) mine[i] = me + i / 4.0;
  shmem_double_put(large + many - 10, mine, 10, right);
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, global, 100 + left);
  if (me == 0) EXPECT_EQUAL(wrong, count, pes * (pes + 1) / 2);
  for (int i = 0; i < 10; i++) EXPECT_EQUAL(wrong, 4 * large[many - 10 + i], 4 * left + i);
  EXPECT_EQUAL(wrong, 4 * shmem_double_g(large + many - 1, right), 4 * me + 9);
  const long* const seen = shmem_ptr(&global, right);
  if (seen != NULL) EXPECT_EQUAL(wrong, *seen, 100 + me);
  shmem_barrier_all();

  /* Data in the heap before a flag in a variable, and the other way round. */
  long* const data = shmem_calloc(1, sizeof(long));
  global = 0;
  shmem_barrier_all();
  for (long round = 1; round <= 20; round++) {
    shmem_long_p(data, round, right);
    shmem_fence();
    shmem_long_p(&global, round, right);
    shmem_long_wait_until(&global, SHMEM_CMP_GE, round);
    EXPECT_EQUAL(wrong, *data >= round, 1);
    shmem_barrier_all();
  }
  shmem_putmem_signal(text, "symmetric", 10, &signal_word, 1, SHMEM_SIGNAL_ADD, right);
  (void)shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, 1);
  EXPECT_EQUAL(wrong, strcmp(text, "symmetric"), 0);
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
  shmem_barrier(0, 0, pes, work);
  EXPECT_EQUAL(wrong, shmem_fcollect(SHMEM_TEAM_WORLD, large, large + many - 1, 1), 0);
  wrong += check_fork();
  shmem_barrier_all();
  shmem_free(data);
  return wrong;
}
