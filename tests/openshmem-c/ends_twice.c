/* A program that calls shmem_finalize twice, and one that does so after a new beginning. */
#include <shmem.h>
#include <stdlib.h>

int main(void) {
  for (int round = 0; round < 2; round++) {
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
    shmem_finalize();
  }
  return EXIT_SUCCESS;
}
