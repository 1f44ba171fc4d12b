/* Few variables with static storage: each PE puts into one of the next PE. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long put_here;
static long initialised = 5;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  shmem_long_p(&put_here, initialised + me, (me + 1) % pes);
  shmem_barrier_all();
  const long expected = 5 + (me + pes - 1) % pes;
  if (put_here != expected) fprintf(stderr, "PE %d: %ld, not %ld\n", me, put_here, expected);
  shmem_finalize();
  return put_here == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
