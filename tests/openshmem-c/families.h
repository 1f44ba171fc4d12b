/* Checks of the families of functions of Boxcar's shmem.h, each function at least once. All PEs
 * call each check, between shmem_init and shmem_finalize. A check prints the errors on its PE and
 * returns their number. */
#ifndef TESTS_OPENSHMEM_C_FAMILIES_H
#define TESTS_OPENSHMEM_C_FAMILIES_H

#ifdef __cplusplus
extern "C" {
#endif

int check_identity(void);
int check_heap(void);
int check_typed_moves(void);
int check_sized_moves(void);
int check_atomic_families(void);
int check_waiting(void);
int check_signals(void);
int check_locks(void);
int check_contexts(void);
int check_teams(void);
int check_team_collectives(void);
int check_reductions(void);
int check_active_sets(void);
int check_old_names(void);
/* Only where the variables of the program are symmetric. */
int check_variables(void);

#ifdef __cplusplus
}
#endif

#endif
