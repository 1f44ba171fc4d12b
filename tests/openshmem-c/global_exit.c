/* PE 1 ends the program with the requested status, while all other PEs wait. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const int status = argc > 1 ? atoi(argv[1]) : 0;
  shmem_init();
  if (shmem_my_pe() == 1) {
    printf("PE 1 ends all PEs\n");
    shmem_global_exit(status);
  }
  shmem_barrier_all();
  fprintf(stderr, "the barrier has ended\n");
  return EXIT_FAILURE;
}
