/* Every PE gives its number to the next PE, in OpenSHMEM; PE 0 prints the sum of the arrived
 * numbers. */
#include <shmem.h>
#include <stdio.h>

static int calls = 0; /* each PE has its own */

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int pes = shmem_n_pes();
  ++calls;
  shmem_barrier_all();
  --calls; /* all is as it was at first */
  shmem_barrier_all();
  if (calls++ != 0) printf("PE %d: what it had set back is set\n", me);
  long* arrived = shmem_malloc(2 * sizeof(long));
  arrived[0] = arrived[1] = 0;
  shmem_barrier_all();
  shmem_long_p(&arrived[0], me, (me + 1) % pes);
  shmem_barrier_all();
  shmem_long_atomic_fetch_add(&arrived[1], arrived[0], 0);
  shmem_barrier_all();
  if (me == 0) printf("%d PEs, sum %ld, calls %d\n", pes, arrived[1], calls);
  shmem_finalize();
  return 0;
}
