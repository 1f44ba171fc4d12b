/* The header declares the functions for the beginning and the end of OpenSHMEM, threads, and the
 * identity of PEs. Source: OpenSHMEM 1.5, sections 9.1 and 9.2. */
#ifndef BOXCAR_SHMEM_SETUP_H
#define BOXCAR_SHMEM_SETUP_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Collective. shmem_init makes the symmetric heap, and the variables of the program symmetric if
 * each PE is a process of its own (docs/openshmem.md). A finished OpenSHMEM may begin again. */
void shmem_init(void);
void shmem_finalize(void);
/* Collective. Writes the level of threads to `provided`, at least the requested level: any thread
 * of the process may call the functions if the level is SHMEM_THREAD_MULTIPLE. Where PEs are
 * threads of one process the level is SHMEM_THREAD_FUNNELED. Returns 0. */
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);
/* Local. Ends the program on all PEs, with the exit status. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void shmem_global_exit(int status);

int shmem_my_pe(void);
int shmem_n_pes(void);
/* Returns the address of another PE's symmetric object for the calling PE; NULL if the other PE is
 * on another node. */
void* shmem_ptr(const void* dest, int pe);
/* Return 1 if the calling PE can reach the PE, or the symmetric object on the PE; otherwise 0. */
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void* address, int pe);

void shmem_info_get_version(int* major, int* minor);
/* Writes SHMEM_VENDOR_STRING to `name`, which has room for SHMEM_MAX_NAME_LEN characters. */
void shmem_info_get_name(char* name);
/* Has no effect: a profiling tool may replace the function. */
void shmem_pcontrol(int level, ...);

BOXCAR_SHMEM_END

#endif
