/* The header gives OpenSHMEM 1.5 on every substrate of Boxcar: threads, processes, MPI, libfabric,
 * OpenSHMEM itself. docs/openshmem.md lists the functions and the differences from other
 * implementations. The header is for C11 and C++; the families of functions are in headers of their
 * own.
 *
 * Symmetric memory is the memory that shmem_malloc and related functions return and, if each PE is
 * a process of its own, all variables of the program with static storage. A mistake of a program is
 * reported on standard error, and the job ends with status 1; where PEs are threads of boxcar::run,
 * the functions throw boxcar::error instead.
 */
#ifndef BOXCAR_OPENSHMEM_SHMEM_H
#define BOXCAR_OPENSHMEM_SHMEM_H

#include "boxcar_shmem/active_sets.h"
#include "boxcar_shmem/atomics.h"
#include "boxcar_shmem/collectives.h"
#include "boxcar_shmem/contexts.h"
#include "boxcar_shmem/deprecated.h"
#include "boxcar_shmem/locks.h"
#include "boxcar_shmem/memory.h"
#include "boxcar_shmem/order.h"
#include "boxcar_shmem/rma.h"
#include "boxcar_shmem/setup.h"
#include "boxcar_shmem/signals.h"
#include "boxcar_shmem/teams.h"
#include "boxcar_shmem/types.h"
#include "boxcar_shmem/wait.h"
#if defined(__cplusplus)
#include "boxcar_shmem/overloads.h"
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "boxcar_shmem/generic.h"
#endif

#endif
