/* A program as those of before OpenSHMEM 1.2: it calls start_pes, more than once, and never
 * shmem_finalize. A PE may end while others still get what it has. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int source;

int main(void) {
  start_pes(0);
  source = 10 + _my_pe();
  shmem_barrier_all();
  start_pes(0);
  const int last = _num_pes() - 1;
  if (_my_pe() == last) return EXIT_SUCCESS;
  usleep(100000);
  const int got = shmem_int_g(&source, last);
  if (got == 10 + last) return EXIT_SUCCESS;
  fprintf(stderr, "PE %d: %d instead of %d\n", _my_pe(), got, 10 + last);
  return EXIT_FAILURE;
}
