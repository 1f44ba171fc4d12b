/* The header declares the collectives of active sets: PEs PE_start, PE_start + 2^logPE_stride, and
 * so on, PE_size PEs in all. pSync is a symmetric work array, filled with SHMEM_SYNC_VALUE, which
 * the functions leave as they found it. pWrk is not used. Source: OpenSHMEM 1.4, section 9.8
 * (deprecated in OpenSHMEM 1.5 in favour of teams). */
#ifndef BOXCAR_SHMEM_ACTIVE_SETS_H
#define BOXCAR_SHMEM_ACTIVE_SETS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* shmem_barrier completes the puts of the PEs; shmem_sync does not. */
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);

/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_ACTIVE_SETS(BITS) \
  void shmem_broadcast##BITS(void* dest, const void* source, size_t nelems, int PE_root, \
                             int PE_start, int logPE_stride, int PE_size, long* pSync); \
  void shmem_collect##BITS(void* dest, const void* source, size_t nelems, int PE_start, \
                           int logPE_stride, int PE_size, long* pSync); \
  void shmem_fcollect##BITS(void* dest, const void* source, size_t nelems, int PE_start, \
                            int logPE_stride, int PE_size, long* pSync); \
  void shmem_alltoall##BITS(void* dest, const void* source, size_t nelems, int PE_start, \
                            int logPE_stride, int PE_size, long* pSync); \
  void shmem_alltoalls##BITS(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, \
                             size_t nelems, int PE_start, int logPE_stride, int PE_size, \
                             long* pSync);
BOXCAR_SHMEM_DECLARE_ACTIVE_SETS(32)
BOXCAR_SHMEM_DECLARE_ACTIVE_SETS(64)

#define BOXCAR_SHMEM_DECLARE_TO_ALL(OP, NAME, TYPE) \
  void shmem_##NAME##OP##_to_all(TYPE* dest, const TYPE* source, int nreduce, int PE_start, \
                                 int logPE_stride, int PE_size, TYPE* pWrk, long* pSync);
BOXCAR_SHMEM_OLD_BITS_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _and)
BOXCAR_SHMEM_OLD_BITS_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _or)
BOXCAR_SHMEM_OLD_BITS_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _xor)
BOXCAR_SHMEM_OLD_ORDER_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _max)
BOXCAR_SHMEM_OLD_ORDER_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _min)
BOXCAR_SHMEM_OLD_SUM_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _sum)
BOXCAR_SHMEM_OLD_SUM_TYPES(BOXCAR_SHMEM_DECLARE_TO_ALL, _prod)
/* clang-format on */

BOXCAR_SHMEM_END

#endif
