/* The header declares the functions for order and completion of operations, and the synchronisation
 * of all PEs. Source: OpenSHMEM 1.5, sections 9.9.1, 9.9.2 and 9.11. */
#ifndef BOXCAR_SHMEM_ORDER_H
#define BOXCAR_SHMEM_ORDER_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Orders puts: each target sees the PE's puts before the fence before the PE's puts after the
 * fence. */
void shmem_fence(void);
void shmem_ctx_fence(shmem_ctx_t ctx);
/* Returns when all puts of the PE have arrived, and all gets without waiting are complete. */
void shmem_quiet(void);
void shmem_ctx_quiet(shmem_ctx_t ctx);

/* Collective. Returns when all puts of all PEs have arrived. */
void shmem_barrier_all(void);
/* Collective. Returns when all PEs have called the function; completes no puts. */
void shmem_sync_all(void);

BOXCAR_SHMEM_END

#endif
