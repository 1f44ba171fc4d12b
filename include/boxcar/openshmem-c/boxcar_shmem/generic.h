/* The header defines the type-generic names of C11: `shmem_put(dest, source, nelems, pe)` for all
 * types, and with a context as the first argument. Source: OpenSHMEM 1.5, C11 synopses. */
#ifndef BOXCAR_SHMEM_GENERIC_H
#define BOXCAR_SHMEM_GENERIC_H

#include "active_sets.h"
#include "atomics.h"
#include "collectives.h"
#include "deprecated.h"
#include "rma.h"
#include "signals.h"
#include "wait.h"

/* clang-format off */

/* --- Selection of a function ---------------------------------------------------------------------
 * BOXCAR_SHMEM_GENERICn(LIST, OP, arguments...) calls the function of the type of the first argument,
 * or of the second one if there are n + 1 arguments, with a context. */
#define BOXCAR_SHMEM_FIRST(A, ...) A
#define BOXCAR_SHMEM_SECOND(A, B, ...) B
#define BOXCAR_SHMEM_CASE(OP, NAME, TYPE) , TYPE: shmem_##NAME##OP
#define BOXCAR_SHMEM_CTX_CASE(OP, NAME, TYPE) , TYPE: shmem_ctx_##NAME##OP
#define BOXCAR_SHMEM_PLAIN(LIST, OP, ...) \
  _Generic(*(BOXCAR_SHMEM_FIRST(__VA_ARGS__, 0)) LIST(BOXCAR_SHMEM_CASE, OP))(__VA_ARGS__)
#define BOXCAR_SHMEM_ON_CTX(LIST, OP, ...) \
  _Generic(*(BOXCAR_SHMEM_SECOND(__VA_ARGS__, 0)) LIST(BOXCAR_SHMEM_CTX_CASE, OP))(__VA_ARGS__)
#define BOXCAR_SHMEM_ON_TEAM(LIST, OP, ...) \
  _Generic(*(BOXCAR_SHMEM_SECOND(__VA_ARGS__, 0)) LIST(BOXCAR_SHMEM_CASE, OP))(__VA_ARGS__)
#define BOXCAR_SHMEM_PICK2(A1,A2,A3, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC2(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK2(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)
#define BOXCAR_SHMEM_PICK3(A1,A2,A3,A4, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC3(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK3(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)
#define BOXCAR_SHMEM_PICK4(A1,A2,A3,A4,A5, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC4(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK4(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)
#define BOXCAR_SHMEM_PICK5(A1,A2,A3,A4,A5,A6, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC5(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK5(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)
#define BOXCAR_SHMEM_PICK6(A1,A2,A3,A4,A5,A6,A7, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC6(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK6(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)
#define BOXCAR_SHMEM_PICK7(A1,A2,A3,A4,A5,A6,A7,A8, PICKED, ...) PICKED
#define BOXCAR_SHMEM_GENERIC7(LIST, OP, ...) \
  BOXCAR_SHMEM_PICK7(__VA_ARGS__, BOXCAR_SHMEM_ON_CTX, BOXCAR_SHMEM_PLAIN, 0)(LIST, OP, __VA_ARGS__)

/* --- Puts and gets ---------------------------------------------------------------------------- */
#define shmem_put(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_RMA_KINDS, _put, __VA_ARGS__)
#define shmem_get(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_RMA_KINDS, _get, __VA_ARGS__)
#define shmem_put_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_RMA_KINDS, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_RMA_KINDS, _get_nbi, __VA_ARGS__)
#define shmem_iput(...) BOXCAR_SHMEM_GENERIC6(BOXCAR_SHMEM_RMA_KINDS, _iput, __VA_ARGS__)
#define shmem_iget(...) BOXCAR_SHMEM_GENERIC6(BOXCAR_SHMEM_RMA_KINDS, _iget, __VA_ARGS__)
#define shmem_p(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_RMA_KINDS, _p, __VA_ARGS__)
#define shmem_g(...) BOXCAR_SHMEM_GENERIC2(BOXCAR_SHMEM_RMA_KINDS, _g, __VA_ARGS__)
#define shmem_put_signal(...) BOXCAR_SHMEM_GENERIC7(BOXCAR_SHMEM_RMA_KINDS, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) BOXCAR_SHMEM_GENERIC7(BOXCAR_SHMEM_RMA_KINDS, _put_signal_nbi, __VA_ARGS__)

/* --- Atomic operations ------------------------------------------------------------------------ */
#define shmem_atomic_fetch(...) BOXCAR_SHMEM_GENERIC2(BOXCAR_SHMEM_EXTENDED_KINDS, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_EXTENDED_KINDS, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_EXTENDED_KINDS, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_EXTENDED_KINDS, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_EXTENDED_KINDS, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_inc(...) BOXCAR_SHMEM_GENERIC2(BOXCAR_SHMEM_AMO_KINDS, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) BOXCAR_SHMEM_GENERIC2(BOXCAR_SHMEM_AMO_KINDS, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_AMO_KINDS, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_AMO_KINDS, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) BOXCAR_SHMEM_GENERIC5(BOXCAR_SHMEM_AMO_KINDS, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_add(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_AMO_KINDS, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_AMO_KINDS, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_AMO_KINDS, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_or(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_xor(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) BOXCAR_SHMEM_GENERIC3(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) BOXCAR_SHMEM_GENERIC4(BOXCAR_SHMEM_BITWISE_KINDS, _atomic_fetch_xor_nbi, __VA_ARGS__)

/* --- Waiting, testing ------------------------------------------------------------------------- */
#define shmem_wait_until(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until, __VA_ARGS__)
#define shmem_test(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test, __VA_ARGS__)
#define shmem_wait_until_all(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_some, __VA_ARGS__)
#define shmem_test_all(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_all, __VA_ARGS__)
#define shmem_test_any(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_any, __VA_ARGS__)
#define shmem_test_some(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_SYNC_KINDS, _test_some_vector, __VA_ARGS__)

/* --- Collectives ------------------------------------------------------------------------------ */
#define shmem_broadcast(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _broadcast, __VA_ARGS__)
#define shmem_collect(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _collect, __VA_ARGS__)
#define shmem_fcollect(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _alltoalls, __VA_ARGS__)
#define shmem_and_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_BITS_KINDS, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_BITS_KINDS, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_BITS_KINDS, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_RMA_KINDS, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_SUM_KINDS, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) BOXCAR_SHMEM_ON_TEAM(BOXCAR_SHMEM_SUM_KINDS, _prod_reduce, __VA_ARGS__)

/* One argument, a team; or an active set. */
#define BOXCAR_SHMEM_PICK_SYNC(A, B, C, D, PICKED, ...) PICKED
#define shmem_sync(...) \
  BOXCAR_SHMEM_PICK_SYNC(__VA_ARGS__, (shmem_sync), 0, 0, shmem_team_sync, 0)(__VA_ARGS__)

/* --- The names before OpenSHMEM 1.4 ----------------------------------------------------------- */
#define shmem_fetch(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_EXTENDED_KINDS, _fetch, __VA_ARGS__)
#define shmem_set(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_EXTENDED_KINDS, _set, __VA_ARGS__)
#define shmem_swap(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_EXTENDED_KINDS, _swap, __VA_ARGS__)
#define shmem_add(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_AMO_KINDS, _add, __VA_ARGS__)
#define shmem_inc(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_AMO_KINDS, _inc, __VA_ARGS__)
#define shmem_fadd(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_AMO_KINDS, _fadd, __VA_ARGS__)
#define shmem_finc(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_AMO_KINDS, _finc, __VA_ARGS__)
#define shmem_cswap(...) BOXCAR_SHMEM_PLAIN(BOXCAR_SHMEM_AMO_KINDS, _cswap, __VA_ARGS__)
/* clang-format on */

#endif
