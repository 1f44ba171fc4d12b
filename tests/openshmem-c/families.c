/* A program of processes, and all families of functions on all PEs. */
#include "families.h"

#include <shmem.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  int wrong = 0;
  wrong += check_identity();
  wrong += check_heap();
  wrong += check_typed_moves();
  wrong += check_sized_moves();
  wrong += check_atomic_families();
  wrong += check_waiting();
  wrong += check_signals();
  wrong += check_locks();
  wrong += check_contexts();
  wrong += check_teams();
  wrong += check_team_collectives();
  wrong += check_reductions();
  wrong += check_active_sets();
  wrong += check_old_names();
  wrong += check_variables();
  shmem_finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
