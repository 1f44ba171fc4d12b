/* Checks of the promises of shmem.h and boxcar_shmemx.h, for every implementation. All PEs call
 * each function, between shmem_init and shmem_finalize. A function prints the errors on its PE
 * and returns their number. */
#ifndef TESTS_OPENSHMEM_C_CONTRACT_H
#define TESTS_OPENSHMEM_C_CONTRACT_H

#ifdef __cplusplus
extern "C" {
#endif

int check_puts_and_gets(void);
int check_atomics(void);
int check_order(void);
int check_memory(void);
int check_polling(void);
int check_counters(void);
int check_counted_data(void);
int check_append(void);
int check_append_rounds(void);

#ifdef __cplusplus
}
#endif

#endif
