/* A program as its users write it: the whole contract. */
#include <shmem.h>
#include <stdlib.h>

#include "contract.h"

int main(void) {
  shmem_init();
  int wrong = 0;
  wrong += check_puts_and_gets();
  wrong += check_atomics();
  wrong += check_order();
  wrong += check_memory();
  wrong += check_counters();
  wrong += check_counted_data();
  wrong += check_append();
  wrong += check_append_rounds();
  shmem_finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
