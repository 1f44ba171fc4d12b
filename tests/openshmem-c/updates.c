/* Atomic operations of all types, by all PEs on one, and the functions by their old names. */
#include <shmem.h>
#include <stdint.h>

#include "expect.h"
#include "families.h"

/* clang-format off */
#define CHECK_EXTENDED(OP, NAME, TYPE) \
  static int check_extended_##NAME(TYPE* a) { \
    int wrong = 0; \
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes(); \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; \
    TYPE before = 0; \
    a[0] = 1; \
    shmem_barrier_all(); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_swap(a, 2, right), 1); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_fetch(a, right), 2); \
    shmem_##NAME##_atomic_set(a, 3, right); \
    shmem_##NAME##_atomic_swap_nbi(&before, a, 4, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 3); \
    shmem_##NAME##_atomic_fetch_nbi(&before, a, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 4); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_swap(ctx, a, 5, right), 4); \
    shmem_ctx_##NAME##_atomic_set(ctx, a, 6, right); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_fetch(ctx, a, right), 6); \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &before, a, 7, right); \
    shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, &before, a, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 7); \
    shmem_barrier_all(); \
    return wrong; \
  }
BOXCAR_SHMEM_EXTENDED_TYPES(CHECK_EXTENDED, )

/* Eight increments and eleven that are added, by each PE. */
#define CHECK_AMO(OP, NAME, TYPE) \
  static int check_amo_##NAME(TYPE* a) { \
    int wrong = 0; \
    const int me = shmem_my_pe(), pes = shmem_n_pes(), right = (me + 1) % pes; \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; \
    TYPE before = 0; \
    a[0] = 0; \
    a[1] = 5; \
    shmem_barrier_all(); \
    shmem_##NAME##_atomic_inc(a, 0); \
    (void)shmem_##NAME##_atomic_fetch_inc(a, 0); \
    shmem_##NAME##_atomic_fetch_inc_nbi(&before, a, 0); \
    shmem_ctx_##NAME##_atomic_inc(ctx, a, 0); \
    (void)shmem_ctx_##NAME##_atomic_fetch_inc(ctx, a, 0); \
    shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, &before, a, 0); \
    shmem_##NAME##_atomic_add(a, 2, 0); \
    (void)shmem_##NAME##_atomic_fetch_add(a, 2, 0); \
    shmem_##NAME##_atomic_fetch_add_nbi(&before, a, 2, 0); \
    shmem_ctx_##NAME##_atomic_add(ctx, a, 1, 0); \
    (void)shmem_ctx_##NAME##_atomic_fetch_add(ctx, a, 1, 0); \
    shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, &before, a, 1, 0); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_compare_swap(a + 1, 4, 9, right), 5); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_compare_swap(a + 1, 5, 6, right), 5); \
    shmem_##NAME##_atomic_compare_swap_nbi(&before, a + 1, 6, 7, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 6); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_compare_swap(ctx, a + 1, 7, 8, right), 7); \
    shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, &before, a + 1, 8, 9, right); \
    shmem_barrier_all(); \
    EXPECT_EQUAL(wrong, a[1], 9); \
    if (me == 0) EXPECT_EQUAL(wrong, a[0], 15 * pes); \
    shmem_barrier_all(); \
    return wrong; \
  }
BOXCAR_SHMEM_AMO_TYPES(CHECK_AMO, )

#define CHECK_BITWISE(OP, NAME, TYPE) \
  static int check_bitwise_##NAME(TYPE* a) { \
    int wrong = 0; \
    const int right = (shmem_my_pe() + 1) % shmem_n_pes(); \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; \
    TYPE before = 0; \
    a[0] = 0; \
    shmem_barrier_all(); \
    shmem_##NAME##_atomic_or(a, 0x70, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_fetch_or(a, 0xf, right), 0x70); \
    shmem_##NAME##_atomic_fetch_or_nbi(&before, a, 0, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 0x7f); \
    shmem_##NAME##_atomic_and(a, 0x3f, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_fetch_and(a, 0x1f, right), 0x3f); \
    shmem_##NAME##_atomic_fetch_and_nbi(&before, a, 0xf, right); \
    shmem_##NAME##_atomic_xor(a, 0xff, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_atomic_fetch_xor(a, 0xf, right), 0xf0); \
    shmem_##NAME##_atomic_fetch_xor_nbi(&before, a, 0xf, right); \
    shmem_quiet(); \
    EXPECT_EQUAL(wrong, before, 0xff); \
    shmem_ctx_##NAME##_atomic_or(ctx, a, 0x100, right); \
    shmem_ctx_##NAME##_atomic_and(ctx, a, 0x1ff, right); \
    shmem_ctx_##NAME##_atomic_xor(ctx, a, 1, right); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_fetch_or(ctx, a, 0, right), 0x1f1); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_fetch_and(ctx, a, 0xff, right), 0x1f1); \
    EXPECT_EQUAL(wrong, shmem_ctx_##NAME##_atomic_fetch_xor(ctx, a, 1, right), 0xf1); \
    shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, &before, a, 1, right); \
    shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, &before, a, 0xf, right); \
    shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, &before, a, 3, right); \
    shmem_barrier_all(); \
    EXPECT_EQUAL(wrong, a[0], 2); \
    shmem_barrier_all(); \
    return wrong; \
  }
BOXCAR_SHMEM_BITWISE_TYPES(CHECK_BITWISE, )

#define CALL_EXTENDED(OP, NAME, TYPE) wrong += check_extended_##NAME((TYPE*)memory);
#define CALL_AMO(OP, NAME, TYPE) wrong += check_amo_##NAME((TYPE*)memory);
#define CALL_BITWISE(OP, NAME, TYPE) wrong += check_bitwise_##NAME((TYPE*)memory);

#define CHECK_OLD(OP, NAME, TYPE) \
  { \
    TYPE* const a = (TYPE*)memory; \
    a[0] = 0; \
    shmem_barrier_all(); \
    shmem_##NAME##_add(a, 2, right); \
    shmem_##NAME##_inc(a, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_fadd(a, 2, right), 3); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_finc(a, right), 5); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_cswap(a, 6, 7, right), 6); \
    shmem_barrier_all(); \
  }
#define CHECK_OLD_EXTENDED(OP, NAME, TYPE) \
  { \
    TYPE* const a = (TYPE*)memory; \
    shmem_barrier_all(); \
    shmem_##NAME##_set(a, 4, right); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_swap(a, 5, right), 4); \
    EXPECT_EQUAL(wrong, shmem_##NAME##_fetch(a, right), 5); \
    shmem_barrier_all(); \
  }
#define CHECK_OLD_WAIT(OP, NAME, TYPE) \
  { \
    TYPE* const a = (TYPE*)memory; \
    a[0] = 0; \
    shmem_barrier_all(); \
    shmem_##NAME##_p(a, 1, right); \
    shmem_##NAME##_wait(a, 0); \
    EXPECT_EQUAL(wrong, a[0], 1); \
    shmem_barrier_all(); \
  }
/* clang-format on */

int check_atomic_families(void) {
  int wrong = 0;
  const int right = (shmem_my_pe() + 1) % shmem_n_pes();
  void* const memory = shmem_malloc(2 * sizeof(long));
  BOXCAR_SHMEM_EXTENDED_TYPES(CALL_EXTENDED, )
  BOXCAR_SHMEM_AMO_TYPES(CALL_AMO, )
  BOXCAR_SHMEM_BITWISE_TYPES(CALL_BITWISE, )
  /* The generic names. */
  unsigned long* const word = memory;
  *word = 1;
  shmem_barrier_all();
  shmem_atomic_add(word, 2UL, right);
  shmem_atomic_inc(SHMEM_CTX_DEFAULT, word, right);
  EXPECT_EQUAL(wrong, shmem_atomic_fetch_xor(word, 5UL, right), 4);
  EXPECT_EQUAL(wrong, shmem_atomic_compare_swap(SHMEM_CTX_DEFAULT, word, 1UL, 8UL, right), 1);
  EXPECT_EQUAL(wrong, shmem_atomic_fetch(SHMEM_CTX_DEFAULT, word, right), 8);
  shmem_barrier_all();
  shmem_free(memory);
  return wrong;
}

int check_old_names(void) {
  int wrong = 0;
  const int right = (shmem_my_pe() + 1) % shmem_n_pes();
  EXPECT_EQUAL(wrong, _my_pe(), shmem_my_pe());
  EXPECT_EQUAL(wrong, _num_pes(), shmem_n_pes());
  void* memory = shmalloc(sizeof(long));
  memory = shrealloc(memory, 2 * sizeof(long));
  BOXCAR_SHMEM_AMO_TYPES(CHECK_OLD, )
  BOXCAR_SHMEM_EXTENDED_TYPES(CHECK_OLD_EXTENDED, )
  BOXCAR_SHMEM_OLD_WAIT_TYPES(CHECK_OLD_WAIT, )
  long* const word = memory;
  *word = 0;
  shmem_barrier_all();
  shmem_long_p(word, 2, right);
  shmem_wait(word, 0);
  EXPECT_EQUAL(wrong, *word, 2);
  shmem_clear_cache_inv();
  shmem_set_cache_inv();
  shmem_clear_cache_line_inv(word);
  shmem_set_cache_line_inv(word);
  shmem_udcflush();
  shmem_udcflush_line(word);
  shfree(memory);
  void* const aligned = shmemalign(256, 8);
  EXPECT_EQUAL(wrong, (uintptr_t)aligned % 256, 0);
  shfree(aligned);
  return wrong;
}
