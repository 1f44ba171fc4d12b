/* The header declares the functions for communication contexts. Operations of all contexts of a PE
 * share one channel: to complete one context completes all. Source: OpenSHMEM 1.5, section 9.5. */
#ifndef BOXCAR_SHMEM_CONTEXTS_H
#define BOXCAR_SHMEM_CONTEXTS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Local. Makes a context; `options` is any combination of SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE
 * and SHMEM_CTX_NOSTORE. Returns 0. */
int shmem_ctx_create(long options, shmem_ctx_t* ctx);
/* Local. Makes a context whose operations number PEs as the team does. Returns 0; other values if
 * the team is SHMEM_TEAM_INVALID. */
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);
/* Completes the operations of the context and ends the context. */
void shmem_ctx_destroy(shmem_ctx_t ctx);
/* Writes the team of the context; SHMEM_TEAM_INVALID, and a result other than 0, for
 * SHMEM_CTX_INVALID. */
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);

BOXCAR_SHMEM_END

#endif
