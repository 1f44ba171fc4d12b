/* The header declares functions by the names that they had before OpenSHMEM 1.4. Source: OpenSHMEM
 * 1.5, annex G. */
#ifndef BOXCAR_SHMEM_DEPRECATED_H
#define BOXCAR_SHMEM_DEPRECATED_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

void start_pes(int pes);
int _my_pe(void);
int _num_pes(void);
void* shmalloc(size_t size);
void* shmemalign(size_t alignment, size_t size);
void* shrealloc(void* memory, size_t size);
void shfree(void* memory);

/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_OLD_AMO(OP, NAME, TYPE) \
  void shmem_##NAME##_add(TYPE* dest, TYPE value, int pe); \
  void shmem_##NAME##_inc(TYPE* dest, int pe); \
  TYPE shmem_##NAME##_fadd(TYPE* dest, TYPE value, int pe); \
  TYPE shmem_##NAME##_finc(TYPE* dest, int pe); \
  TYPE shmem_##NAME##_cswap(TYPE* dest, TYPE cond, TYPE value, int pe);
BOXCAR_SHMEM_AMO_TYPES(BOXCAR_SHMEM_DECLARE_OLD_AMO, )
#define BOXCAR_SHMEM_DECLARE_OLD_EXTENDED(OP, NAME, TYPE) \
  TYPE shmem_##NAME##_fetch(const TYPE* source, int pe); \
  void shmem_##NAME##_set(TYPE* dest, TYPE value, int pe); \
  TYPE shmem_##NAME##_swap(TYPE* dest, TYPE value, int pe);
BOXCAR_SHMEM_EXTENDED_TYPES(BOXCAR_SHMEM_DECLARE_OLD_EXTENDED, )

/* Waits until the variable differs from the value. */
#define BOXCAR_SHMEM_OLD_WAIT_TYPES(DO, OP) \
  DO(OP, short, short) DO(OP, int, int) DO(OP, long, long) DO(OP, longlong, long long)
#define BOXCAR_SHMEM_DECLARE_OLD_WAIT(OP, NAME, TYPE) \
  void shmem_##NAME##_wait(TYPE* ivar, TYPE cmp_value);
BOXCAR_SHMEM_OLD_WAIT_TYPES(BOXCAR_SHMEM_DECLARE_OLD_WAIT, )
/* clang-format on */
void shmem_wait(long* ivar, long cmp_value);

/* Caches are coherent: the functions have no effect. */
void shmem_clear_cache_inv(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_line_inv(void* dest);
void shmem_set_cache_line_inv(void* dest);
void shmem_udcflush(void);
void shmem_udcflush_line(void* dest);

BOXCAR_SHMEM_END

#endif
