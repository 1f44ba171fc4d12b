/* The header declares atomic operations on symmetric objects. The functions that fetch return the
 * former value, or write the former value to `fetch` by the next shmem_quiet (`nbi`). Source:
 * OpenSHMEM 1.5, section 9.8. */
#ifndef BOXCAR_SHMEM_ATOMICS_H
#define BOXCAR_SHMEM_ATOMICS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_EXTENDED(OP, NAME, TYPE) \
  TYPE shmem_##NAME##_atomic_fetch(const TYPE* source, int pe); \
  void shmem_##NAME##_atomic_set(TYPE* dest, TYPE value, int pe); \
  TYPE shmem_##NAME##_atomic_swap(TYPE* dest, TYPE value, int pe); \
  void shmem_##NAME##_atomic_fetch_nbi(TYPE* fetch, const TYPE* source, int pe); \
  void shmem_##NAME##_atomic_swap_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe); \
  TYPE shmem_ctx_##NAME##_atomic_fetch(shmem_ctx_t ctx, const TYPE* source, int pe); \
  void shmem_ctx_##NAME##_atomic_set(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe); \
  TYPE shmem_ctx_##NAME##_atomic_swap(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe); \
  void shmem_ctx_##NAME##_atomic_fetch_nbi(shmem_ctx_t ctx, TYPE* fetch, const TYPE* source, \
                                           int pe); \
  void shmem_ctx_##NAME##_atomic_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE value, \
                                          int pe);
BOXCAR_SHMEM_EXTENDED_TYPES(BOXCAR_SHMEM_DECLARE_EXTENDED, )

#define BOXCAR_SHMEM_DECLARE_AMO(OP, NAME, TYPE) \
  void shmem_##NAME##_atomic_inc(TYPE* dest, int pe); \
  TYPE shmem_##NAME##_atomic_fetch_inc(TYPE* dest, int pe); \
  void shmem_##NAME##_atomic_fetch_inc_nbi(TYPE* fetch, TYPE* dest, int pe); \
  TYPE shmem_##NAME##_atomic_compare_swap(TYPE* dest, TYPE cond, TYPE value, int pe); \
  void shmem_##NAME##_atomic_compare_swap_nbi(TYPE* fetch, TYPE* dest, TYPE cond, TYPE value, \
                                              int pe); \
  void shmem_ctx_##NAME##_atomic_inc(shmem_ctx_t ctx, TYPE* dest, int pe); \
  TYPE shmem_ctx_##NAME##_atomic_fetch_inc(shmem_ctx_t ctx, TYPE* dest, int pe); \
  void shmem_ctx_##NAME##_atomic_fetch_inc_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, int pe); \
  TYPE shmem_ctx_##NAME##_atomic_compare_swap(shmem_ctx_t ctx, TYPE* dest, TYPE cond, TYPE value, \
                                              int pe); \
  void shmem_ctx_##NAME##_atomic_compare_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, \
                                                  TYPE cond, TYPE value, int pe);
BOXCAR_SHMEM_AMO_TYPES(BOXCAR_SHMEM_DECLARE_AMO, )

/* The operations with a value: add, and, or, xor. */
#define BOXCAR_SHMEM_DECLARE_UPDATE(OP, NAME, TYPE) \
  void shmem_##NAME##_atomic##OP(TYPE* dest, TYPE value, int pe); \
  TYPE shmem_##NAME##_atomic_fetch##OP(TYPE* dest, TYPE value, int pe); \
  void shmem_##NAME##_atomic_fetch##OP##_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe); \
  void shmem_ctx_##NAME##_atomic##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe); \
  TYPE shmem_ctx_##NAME##_atomic_fetch##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe); \
  void shmem_ctx_##NAME##_atomic_fetch##OP##_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, \
                                                 TYPE value, int pe);
BOXCAR_SHMEM_AMO_TYPES(BOXCAR_SHMEM_DECLARE_UPDATE, _add)
BOXCAR_SHMEM_BITWISE_TYPES(BOXCAR_SHMEM_DECLARE_UPDATE, _and)
BOXCAR_SHMEM_BITWISE_TYPES(BOXCAR_SHMEM_DECLARE_UPDATE, _or)
BOXCAR_SHMEM_BITWISE_TYPES(BOXCAR_SHMEM_DECLARE_UPDATE, _xor)
/* clang-format on */

BOXCAR_SHMEM_END

#endif
