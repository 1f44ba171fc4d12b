/* The header defines the type-generic names for C++, as overloaded functions, with and without a
 * context. Source: the C11 synopses of OpenSHMEM 1.5, as Sandia OpenSHMEM has them for C++. */
#ifndef BOXCAR_SHMEM_OVERLOADS_H
#define BOXCAR_SHMEM_OVERLOADS_H

#include "active_sets.h"
#include "atomics.h"
#include "collectives.h"
#include "deprecated.h"
#include "rma.h"
#include "signals.h"
#include "wait.h"

#ifdef __cplusplus

/* clang-format off */
/* --- Puts and gets ---------------------------------------------------------------------------- */
#define BOXCAR_SHMEM_RMA_OVERLOADS(OP, NAME, TYPE) \
  inline void shmem_put(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_##NAME##_put(dest, source, nelems, pe); \
  } \
  inline void shmem_put(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_put(ctx, dest, source, nelems, pe); \
  } \
  inline void shmem_get(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_##NAME##_get(dest, source, nelems, pe); \
  } \
  inline void shmem_get(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_get(ctx, dest, source, nelems, pe); \
  } \
  inline void shmem_put_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_##NAME##_put_nbi(dest, source, nelems, pe); \
  } \
  inline void shmem_put_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_put_nbi(ctx, dest, source, nelems, pe); \
  } \
  inline void shmem_get_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_##NAME##_get_nbi(dest, source, nelems, pe); \
  } \
  inline void shmem_get_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_get_nbi(ctx, dest, source, nelems, pe); \
  } \
  inline void shmem_iput(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    shmem_##NAME##_iput(dest, source, dst, sst, nelems, pe); \
  } \
  inline void shmem_iput(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_iput(ctx, dest, source, dst, sst, nelems, pe); \
  } \
  inline void shmem_iget(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    shmem_##NAME##_iget(dest, source, dst, sst, nelems, pe); \
  } \
  inline void shmem_iget(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    shmem_ctx_##NAME##_iget(ctx, dest, source, dst, sst, nelems, pe); \
  } \
  inline void shmem_p(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_p(dest, value, pe); \
  } \
  inline void shmem_p(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    shmem_ctx_##NAME##_p(ctx, dest, value, pe); \
  } \
  inline TYPE shmem_g(const TYPE* source, int pe) { \
    return shmem_##NAME##_g(source, pe); \
  } \
  inline TYPE shmem_g(shmem_ctx_t ctx, const TYPE* source, int pe) { \
    return shmem_ctx_##NAME##_g(ctx, source, pe); \
  } \
  inline void shmem_put_signal(TYPE* dest, const TYPE* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
    shmem_##NAME##_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); \
  } \
  inline void shmem_put_signal(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
    shmem_ctx_##NAME##_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); \
  } \
  inline void shmem_put_signal_nbi(TYPE* dest, const TYPE* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
    shmem_##NAME##_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); \
  } \
  inline void shmem_put_signal_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) { \
    shmem_ctx_##NAME##_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); \
  }
BOXCAR_SHMEM_RMA_KINDS(BOXCAR_SHMEM_RMA_OVERLOADS, )

/* --- Atomic operations ------------------------------------------------------------------------ */
#define BOXCAR_SHMEM_EXTENDED_OVERLOADS(OP, NAME, TYPE) \
  inline TYPE shmem_atomic_fetch(const TYPE* source, int pe) { \
    return shmem_##NAME##_atomic_fetch(source, pe); \
  } \
  inline TYPE shmem_atomic_fetch(shmem_ctx_t ctx, const TYPE* source, int pe) { \
    return shmem_ctx_##NAME##_atomic_fetch(ctx, source, pe); \
  } \
  inline void shmem_atomic_set(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic_set(dest, value, pe); \
  } \
  inline void shmem_atomic_set(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    shmem_ctx_##NAME##_atomic_set(ctx, dest, value, pe); \
  } \
  inline TYPE shmem_atomic_swap(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_swap(dest, value, pe); \
  } \
  inline TYPE shmem_atomic_swap(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    return shmem_ctx_##NAME##_atomic_swap(ctx, dest, value, pe); \
  } \
  inline void shmem_atomic_fetch_nbi(TYPE* fetch, const TYPE* source, int pe) { \
    shmem_##NAME##_atomic_fetch_nbi(fetch, source, pe); \
  } \
  inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, TYPE* fetch, const TYPE* source, int pe) { \
    shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetch, source, pe); \
  } \
  inline void shmem_atomic_swap_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic_swap_nbi(fetch, dest, value, pe); \
  } \
  inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE value, int pe) { \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetch, dest, value, pe); \
  }
BOXCAR_SHMEM_EXTENDED_KINDS(BOXCAR_SHMEM_EXTENDED_OVERLOADS, )

#define BOXCAR_SHMEM_AMO_OVERLOADS(OP, NAME, TYPE) \
  inline void shmem_atomic_inc(TYPE* dest, int pe) { \
    shmem_##NAME##_atomic_inc(dest, pe); \
  } \
  inline void shmem_atomic_inc(shmem_ctx_t ctx, TYPE* dest, int pe) { \
    shmem_ctx_##NAME##_atomic_inc(ctx, dest, pe); \
  } \
  inline TYPE shmem_atomic_fetch_inc(TYPE* dest, int pe) { \
    return shmem_##NAME##_atomic_fetch_inc(dest, pe); \
  } \
  inline TYPE shmem_atomic_fetch_inc(shmem_ctx_t ctx, TYPE* dest, int pe) { \
    return shmem_ctx_##NAME##_atomic_fetch_inc(ctx, dest, pe); \
  } \
  inline void shmem_atomic_fetch_inc_nbi(TYPE* fetch, TYPE* dest, int pe) { \
    shmem_##NAME##_atomic_fetch_inc_nbi(fetch, dest, pe); \
  } \
  inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, int pe) { \
    shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); \
  } \
  inline TYPE shmem_atomic_compare_swap(TYPE* dest, TYPE cond, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe); \
  } \
  inline TYPE shmem_atomic_compare_swap(shmem_ctx_t ctx, TYPE* dest, TYPE cond, TYPE value, int pe) { \
    return shmem_ctx_##NAME##_atomic_compare_swap(ctx, dest, cond, value, pe); \
  } \
  inline void shmem_atomic_compare_swap_nbi(TYPE* fetch, TYPE* dest, TYPE cond, TYPE value, int pe) { \
    shmem_##NAME##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); \
  } \
  inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE cond, TYPE value, int pe) { \
    shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); \
  }
BOXCAR_SHMEM_AMO_KINDS(BOXCAR_SHMEM_AMO_OVERLOADS, )

#define BOXCAR_SHMEM_UPDATE_OVERLOADS(OP, NAME, TYPE) \
  inline void shmem_atomic##OP(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic##OP(dest, value, pe); \
  } \
  inline void shmem_atomic##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    shmem_ctx_##NAME##_atomic##OP(ctx, dest, value, pe); \
  } \
  inline TYPE shmem_atomic_fetch##OP(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_fetch##OP(dest, value, pe); \
  } \
  inline TYPE shmem_atomic_fetch##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) { \
    return shmem_ctx_##NAME##_atomic_fetch##OP(ctx, dest, value, pe); \
  } \
  inline void shmem_atomic_fetch##OP##_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic_fetch##OP##_nbi(fetch, dest, value, pe); \
  } \
  inline void shmem_atomic_fetch##OP##_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE value, int pe) { \
    shmem_ctx_##NAME##_atomic_fetch##OP##_nbi(ctx, fetch, dest, value, pe); \
  }
BOXCAR_SHMEM_AMO_KINDS(BOXCAR_SHMEM_UPDATE_OVERLOADS, _add)
BOXCAR_SHMEM_BITWISE_KINDS(BOXCAR_SHMEM_UPDATE_OVERLOADS, _and)
BOXCAR_SHMEM_BITWISE_KINDS(BOXCAR_SHMEM_UPDATE_OVERLOADS, _or)
BOXCAR_SHMEM_BITWISE_KINDS(BOXCAR_SHMEM_UPDATE_OVERLOADS, _xor)

/* --- Waiting, testing ------------------------------------------------------------------------- */
#define BOXCAR_SHMEM_WAIT_OVERLOADS(OP, NAME, TYPE) \
  inline void shmem_wait_until(TYPE* ivar, int cmp, TYPE value) { \
    shmem_##NAME##_wait_until(ivar, cmp, value); \
  } \
  inline int shmem_test(TYPE* ivar, int cmp, TYPE value) { \
    return shmem_##NAME##_test(ivar, cmp, value); \
  } \
  inline void shmem_wait_until_all(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE value) { \
    shmem_##NAME##_wait_until_all(ivars, nelems, status, cmp, value); \
  } \
  inline size_t shmem_wait_until_any(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE value) { \
    return shmem_##NAME##_wait_until_any(ivars, nelems, status, cmp, value); \
  } \
  inline size_t shmem_wait_until_some(TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE value) { \
    return shmem_##NAME##_wait_until_some(ivars, nelems, indices, status, cmp, value); \
  } \
  inline int shmem_test_all(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE value) { \
    return shmem_##NAME##_test_all(ivars, nelems, status, cmp, value); \
  } \
  inline size_t shmem_test_any(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE value) { \
    return shmem_##NAME##_test_any(ivars, nelems, status, cmp, value); \
  } \
  inline size_t shmem_test_some(TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE value) { \
    return shmem_##NAME##_test_some(ivars, nelems, indices, status, cmp, value); \
  } \
  inline void shmem_wait_until_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* values) { \
    shmem_##NAME##_wait_until_all_vector(ivars, nelems, status, cmp, values); \
  } \
  inline size_t shmem_wait_until_any_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* values) { \
    return shmem_##NAME##_wait_until_any_vector(ivars, nelems, status, cmp, values); \
  } \
  inline size_t shmem_wait_until_some_vector(TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE* values) { \
    return shmem_##NAME##_wait_until_some_vector(ivars, nelems, indices, status, cmp, values); \
  } \
  inline int shmem_test_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* values) { \
    return shmem_##NAME##_test_all_vector(ivars, nelems, status, cmp, values); \
  } \
  inline size_t shmem_test_any_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* values) { \
    return shmem_##NAME##_test_any_vector(ivars, nelems, status, cmp, values); \
  } \
  inline size_t shmem_test_some_vector(TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE* values) { \
    return shmem_##NAME##_test_some_vector(ivars, nelems, indices, status, cmp, values); \
  }
BOXCAR_SHMEM_SYNC_KINDS(BOXCAR_SHMEM_WAIT_OVERLOADS, )

/* --- Collectives ------------------------------------------------------------------------------ */
#define BOXCAR_SHMEM_TEAM_OVERLOADS(OP, NAME, TYPE) \
  inline int shmem_broadcast(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems, int root) { \
    return shmem_##NAME##_broadcast(team, dest, source, nelems, root); \
  } \
  inline int shmem_collect(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) { \
    return shmem_##NAME##_collect(team, dest, source, nelems); \
  } \
  inline int shmem_fcollect(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) { \
    return shmem_##NAME##_fcollect(team, dest, source, nelems); \
  } \
  inline int shmem_alltoall(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) { \
    return shmem_##NAME##_alltoall(team, dest, source, nelems); \
  } \
  inline int shmem_alltoalls(shmem_team_t team, TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { \
    return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, nelems); \
  }
BOXCAR_SHMEM_RMA_KINDS(BOXCAR_SHMEM_TEAM_OVERLOADS, )

#define BOXCAR_SHMEM_REDUCE_OVERLOADS(OP, NAME, TYPE) \
  inline int shmem##OP##_reduce(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) { \
    return shmem_##NAME##OP##_reduce(team, dest, source, nelems); \
  }
BOXCAR_SHMEM_BITS_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _and)
BOXCAR_SHMEM_BITS_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _or)
BOXCAR_SHMEM_BITS_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _xor)
BOXCAR_SHMEM_RMA_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _max)
BOXCAR_SHMEM_RMA_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _min)
BOXCAR_SHMEM_SUM_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _sum)
BOXCAR_SHMEM_SUM_KINDS(BOXCAR_SHMEM_REDUCE_OVERLOADS, _prod)

/* --- The names before OpenSHMEM 1.4 ----------------------------------------------------------- */
#define BOXCAR_SHMEM_OLD_AMO_OVERLOADS(OP, NAME, TYPE) \
  inline void shmem_add(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_add(dest, value, pe); \
  } \
  inline void shmem_inc(TYPE* dest, int pe) { \
    shmem_##NAME##_inc(dest, pe); \
  } \
  inline TYPE shmem_fadd(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_fadd(dest, value, pe); \
  } \
  inline TYPE shmem_finc(TYPE* dest, int pe) { \
    return shmem_##NAME##_finc(dest, pe); \
  } \
  inline TYPE shmem_cswap(TYPE* dest, TYPE cond, TYPE value, int pe) { \
    return shmem_##NAME##_cswap(dest, cond, value, pe); \
  }
BOXCAR_SHMEM_AMO_KINDS(BOXCAR_SHMEM_OLD_AMO_OVERLOADS, )

#define BOXCAR_SHMEM_OLD_EXTENDED_OVERLOADS(OP, NAME, TYPE) \
  inline TYPE shmem_fetch(const TYPE* source, int pe) { \
    return shmem_##NAME##_fetch(source, pe); \
  } \
  inline void shmem_set(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_set(dest, value, pe); \
  } \
  inline TYPE shmem_swap(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_swap(dest, value, pe); \
  }
BOXCAR_SHMEM_EXTENDED_KINDS(BOXCAR_SHMEM_OLD_EXTENDED_OVERLOADS, )
/* clang-format on */

inline int shmem_sync(shmem_team_t team) {
  return shmem_team_sync(team);
}

#endif /* __cplusplus */
#endif
