/* The header declares puts and gets of elements on other PEs. `nbi` functions may return before the
 * elements have arrived; shmem_quiet completes them. Source: OpenSHMEM 1.5, sections 9.6 and 9.7.
 */
#ifndef BOXCAR_SHMEM_RMA_H
#define BOXCAR_SHMEM_RMA_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* --- Bytes ------------------------------------------------------------------------------------ */
void shmem_putmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_putmem_nbi(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem_nbi(void* dest, const void* source, size_t bytes, int pe);
void shmem_ctx_putmem(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe);
void shmem_ctx_getmem(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe);
void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe);
void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void* dest, const void* source, size_t bytes, int pe);

/* --- Elements of a size, and elements of a type -------------------------------------------------
 * `dst` and `sst` are the strides, in elements, of dest and source. */
/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_MOVES(NAME, ELEMENT) \
  void shmem_put##NAME(ELEMENT* dest, const ELEMENT* source, size_t nelems, int pe); \
  void shmem_get##NAME(ELEMENT* dest, const ELEMENT* source, size_t nelems, int pe); \
  void shmem_put##NAME##_nbi(ELEMENT* dest, const ELEMENT* source, size_t nelems, int pe); \
  void shmem_get##NAME##_nbi(ELEMENT* dest, const ELEMENT* source, size_t nelems, int pe); \
  void shmem_iput##NAME(ELEMENT* dest, const ELEMENT* source, ptrdiff_t dst, ptrdiff_t sst, \
                        size_t nelems, int pe); \
  void shmem_iget##NAME(ELEMENT* dest, const ELEMENT* source, ptrdiff_t dst, ptrdiff_t sst, \
                        size_t nelems, int pe); \
  void shmem_ctx_put##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, size_t nelems, \
                           int pe); \
  void shmem_ctx_get##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, size_t nelems, \
                           int pe); \
  void shmem_ctx_put##NAME##_nbi(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                                 size_t nelems, int pe); \
  void shmem_ctx_get##NAME##_nbi(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                                 size_t nelems, int pe); \
  void shmem_ctx_iput##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, ptrdiff_t dst, \
                            ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_ctx_iget##NAME(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, ptrdiff_t dst, \
                            ptrdiff_t sst, size_t nelems, int pe);
#define BOXCAR_SHMEM_DECLARE_SIZED(BITS, BYTES) BOXCAR_SHMEM_DECLARE_MOVES(BITS, void)
BOXCAR_SHMEM_SIZES(BOXCAR_SHMEM_DECLARE_SIZED)

#define BOXCAR_SHMEM_DECLARE_RMA(OP, NAME, TYPE) \
  void shmem_##NAME##_put(TYPE* dest, const TYPE* source, size_t nelems, int pe); \
  void shmem_##NAME##_get(TYPE* dest, const TYPE* source, size_t nelems, int pe); \
  void shmem_##NAME##_put_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe); \
  void shmem_##NAME##_get_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe); \
  void shmem_##NAME##_iput(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, \
                           size_t nelems, int pe); \
  void shmem_##NAME##_iget(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, \
                           size_t nelems, int pe); \
  void shmem_##NAME##_p(TYPE* dest, TYPE value, int pe); \
  TYPE shmem_##NAME##_g(const TYPE* source, int pe); \
  void shmem_ctx_##NAME##_put(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, \
                              int pe); \
  void shmem_ctx_##NAME##_get(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, \
                              int pe); \
  void shmem_ctx_##NAME##_put_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, \
                                  int pe); \
  void shmem_ctx_##NAME##_get_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, \
                                  int pe); \
  void shmem_ctx_##NAME##_iput(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst, \
                               ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_ctx_##NAME##_iget(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst, \
                               ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_ctx_##NAME##_p(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe); \
  TYPE shmem_ctx_##NAME##_g(shmem_ctx_t ctx, const TYPE* source, int pe);
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_DECLARE_RMA, )
/* clang-format on */

BOXCAR_SHMEM_END

#endif
