/* The header declares puts with a signal: the signal of the target changes when the elements have
 * arrived. `sig_op` is SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD. Source: OpenSHMEM 1.5, section 9.8.4
 * (signaling operations); counting-puts-2014. */
#ifndef BOXCAR_SHMEM_SIGNALS_H
#define BOXCAR_SHMEM_SIGNALS_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* Returns the signal, a variable of the calling PE. */
uint64_t shmem_signal_fetch(const uint64_t* sig_addr);
/* Waits for the signal; returns the signal. */
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_SIGNALS(PREFIX, SUFFIX, ELEMENT) \
  void shmem_##PREFIX##_signal##SUFFIX(ELEMENT* dest, const ELEMENT* source, size_t nelems, \
                                       uint64_t* sig_addr, uint64_t signal, int sig_op, int pe); \
  void shmem_ctx_##PREFIX##_signal##SUFFIX(shmem_ctx_t ctx, ELEMENT* dest, const ELEMENT* source, \
                                           size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                                           int sig_op, int pe);
BOXCAR_SHMEM_DECLARE_SIGNALS(putmem, , void)
BOXCAR_SHMEM_DECLARE_SIGNALS(putmem, _nbi, void)
#define BOXCAR_SHMEM_DECLARE_SIZED_SIGNALS(BITS, BYTES) \
  BOXCAR_SHMEM_DECLARE_SIGNALS(put##BITS, , void) BOXCAR_SHMEM_DECLARE_SIGNALS(put##BITS, _nbi, void)
BOXCAR_SHMEM_SIZES(BOXCAR_SHMEM_DECLARE_SIZED_SIGNALS)
#define BOXCAR_SHMEM_DECLARE_TYPED_SIGNALS(OP, NAME, TYPE) \
  BOXCAR_SHMEM_DECLARE_SIGNALS(NAME##_put, , TYPE) \
  BOXCAR_SHMEM_DECLARE_SIGNALS(NAME##_put, _nbi, TYPE)
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_DECLARE_TYPED_SIGNALS, )
/* clang-format on */

BOXCAR_SHMEM_END

#endif
