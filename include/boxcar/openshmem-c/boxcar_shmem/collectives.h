/* The header declares the collectives of teams. All PEs of the team call a function, in the same
 * order as the team's other collectives, with the same arguments; dest and source are symmetric.
 * The functions return 0, and another value if the team is invalid. Source: OpenSHMEM 1.5,
 * section 9.9. */
#ifndef BOXCAR_SHMEM_COLLECTIVES_H
#define BOXCAR_SHMEM_COLLECTIVES_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

int shmem_team_sync(shmem_team_t team);

/* --- Moves ------------------------------------------------------------------------------------ */
/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_COLLECTIVES(NAME, ELEMENT) \
  int shmem_##NAME##broadcast(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                              size_t nelems, int root); \
  int shmem_##NAME##collect(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                            size_t nelems); \
  int shmem_##NAME##fcollect(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                             size_t nelems); \
  int shmem_##NAME##alltoall(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                             size_t nelems); \
  int shmem_##NAME##alltoalls(shmem_team_t team, ELEMENT* dest, const ELEMENT* source, \
                              ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
#define BOXCAR_SHMEM_DECLARE_TYPED_COLLECTIVES(OP, NAME, TYPE) \
  BOXCAR_SHMEM_DECLARE_COLLECTIVES(NAME##_, TYPE)
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_DECLARE_TYPED_COLLECTIVES, )

int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems, int root);
int shmem_collectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t nelems);
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst,
                       ptrdiff_t sst, size_t nelems);

/* --- Reductions -------------------------------------------------------------------------------
 * dest and source are the same, or do not overlap. All PEs get the same bits. */
#define BOXCAR_SHMEM_DECLARE_REDUCE(OP, NAME, TYPE) \
  int shmem_##NAME##OP##_reduce(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nreduce);
BOXCAR_SHMEM_BITS_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _and)
BOXCAR_SHMEM_BITS_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _or)
BOXCAR_SHMEM_BITS_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _xor)
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _max)
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _min)
BOXCAR_SHMEM_SUM_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _sum)
BOXCAR_SHMEM_SUM_TYPES(BOXCAR_SHMEM_DECLARE_REDUCE, _prod)
/* clang-format on */

BOXCAR_SHMEM_END

#endif
