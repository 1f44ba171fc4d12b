/* Puts and gets of all types and sizes, with and without a context. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"
#include "families.h"

enum { many = 12 };

/* clang-format off */
#define CHECK_TYPE(OP, NAME, TYPE) \
  static int check_##NAME(TYPE* dest) { \
    int wrong = 0; \
    const int me = shmem_my_pe(), pes = shmem_n_pes(); \
    const int right = (me + 1) % pes, left = (me + pes - 1) % pes; \
    TYPE mine[many], got[many]; \
    for (int i = 0; i < many; i++) mine[i] = (TYPE)(10 * (me % 10) + i); \
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; \
    memset(dest, 0, many * sizeof(TYPE)); \
    shmem_barrier_all(); \
    shmem_##NAME##_put(dest, mine, 2, right); \
    shmem_##NAME##_put_nbi(dest + 2, mine + 2, 2, right); \
    shmem_##NAME##_iput(dest + 4, mine + 4, 2, 1, 2, right); \
    shmem_##NAME##_p(dest + 5, mine[5], right); \
    shmem_ctx_##NAME##_put(ctx, dest + 7, mine + 7, 1, right); \
    shmem_ctx_##NAME##_put_nbi(ctx, dest + 8, mine + 8, 1, right); \
    shmem_ctx_##NAME##_iput(ctx, dest + 9, mine + 9, 1, 2, 2, right); \
    shmem_ctx_##NAME##_p(ctx, dest + 11, mine[11], right); \
    shmem_barrier_all(); \
    const int of_mine[many] = {0, 1, 2, 3, 4, 5, 5, 7, 8, 9, 11, 11}; \
    for (int i = 0; i < many; i++) EXPECT_EQUAL(wrong, dest[i], 10 * (left % 10) + of_mine[i]); \
    memset(got, 0, sizeof got); \
    shmem_##NAME##_get(got, dest, 2, right); \
    shmem_##NAME##_get_nbi(got + 2, dest + 2, 2, right); \
    shmem_##NAME##_iget(got + 4, dest + 4, 1, 1, 1, right); \
    got[5] = shmem_##NAME##_g(dest + 5, right); \
    shmem_ctx_##NAME##_get(ctx, got + 6, dest + 6, 2, right); \
    shmem_ctx_##NAME##_get_nbi(ctx, got + 8, dest + 8, 1, right); \
    shmem_ctx_##NAME##_iget(ctx, got + 9, dest + 9, 1, 1, 2, right); \
    got[11] = shmem_ctx_##NAME##_g(ctx, dest + 11, right); \
    shmem_quiet(); \
    for (int i = 0; i < many; i++) EXPECT_EQUAL(wrong, got[i], 10 * (me % 10) + of_mine[i]); \
    shmem_barrier_all(); \
    return wrong; \
  }
BOXCAR_SHMEM_RMA_TYPES(CHECK_TYPE, )
#define CALL_CHECK(OP, NAME, TYPE) wrong += check_##NAME((TYPE*)memory);

#define CHECK_GENERIC(OP, NAME, TYPE) \
  static int check_generic_##NAME(TYPE* dest) { \
    int wrong = 0; \
    const int me = shmem_my_pe(), pes = shmem_n_pes(), right = (me + 1) % pes; \
    TYPE mine[2] = {(TYPE)(me + 1), (TYPE)(me + 2)}, got[6] = {0}; \
    shmem_barrier_all(); \
    shmem_put(dest, mine, 2, right); \
    shmem_put_nbi(dest + 2, mine, 1, right); \
    shmem_iput(SHMEM_CTX_DEFAULT, dest + 3, mine, 1, 1, 2, right); \
    shmem_p(SHMEM_CTX_DEFAULT, dest + 5, (TYPE)7, right); \
    shmem_quiet(); \
    shmem_get(got, dest, 2, right); \
    shmem_get_nbi(SHMEM_CTX_DEFAULT, got + 2, dest + 2, 1, right); \
    shmem_iget(got + 3, dest + 3, 1, 1, 2, right); \
    got[5] = shmem_g(dest + 5, right); \
    shmem_quiet(); \
    const int of_mine[6] = {me + 1, me + 2, me + 1, me + 1, me + 2, 7}; \
    for (int i = 0; i < 6; i++) EXPECT_EQUAL(wrong, got[i], of_mine[i]); \
    shmem_barrier_all(); \
    return wrong; \
  }
/* The generic names expand to the lists of shmem.h, which a list of shmem.h cannot expand again. */
#define GENERIC_TYPES(DO) \
  DO(, char, char) DO(, schar, signed char) DO(, uchar, unsigned char) DO(, short, short) \
  DO(, ushort, unsigned short) DO(, int, int) DO(, uint, unsigned int) DO(, long, long) \
  DO(, ulong, unsigned long) DO(, longlong, long long) DO(, ulonglong, unsigned long long) \
  DO(, float, float) DO(, double, double) DO(, longdouble, long double)
GENERIC_TYPES(CHECK_GENERIC)
#define CALL_GENERIC(OP, NAME, TYPE) wrong += check_generic_##NAME((TYPE*)memory);
/* clang-format on */

int check_typed_moves(void) {
  int wrong = 0;
  void* const memory = shmem_malloc(many * sizeof(long double));
  BOXCAR_SHMEM_RMA_TYPES(CALL_CHECK, )
  GENERIC_TYPES(CALL_GENERIC)
  shmem_free(memory);
  return wrong;
}

/* clang-format off */
#define CHECK_SIZE(BITS, BYTES) \
  memset(memory, 0, 8 * (BYTES)); \
  shmem_barrier_all(); \
  shmem_put##BITS(memory, mine, 1, right); \
  shmem_put##BITS##_nbi(memory + (BYTES), mine + (BYTES), 1, right); \
  shmem_iput##BITS(memory + 2 * (BYTES), mine + 2 * (BYTES), 2, 1, 1, right); \
  shmem_ctx_put##BITS(SHMEM_CTX_DEFAULT, memory + 3 * (BYTES), mine + 3 * (BYTES), 1, right); \
  shmem_ctx_put##BITS##_nbi(SHMEM_CTX_DEFAULT, memory + 4 * (BYTES), mine + 4 * (BYTES), 1, right); \
  shmem_ctx_iput##BITS(SHMEM_CTX_DEFAULT, memory + 5 * (BYTES), mine + 5 * (BYTES), 1, 1, 3, right); \
  shmem_barrier_all(); \
  memset(got, 0, sizeof got); \
  shmem_get##BITS(got, memory, 1, right); \
  shmem_get##BITS##_nbi(got + (BYTES), memory + (BYTES), 1, right); \
  shmem_iget##BITS(got + 2 * (BYTES), memory + 2 * (BYTES), 1, 1, 2, right); \
  shmem_ctx_get##BITS(SHMEM_CTX_DEFAULT, got + 4 * (BYTES), memory + 4 * (BYTES), 1, right); \
  shmem_ctx_get##BITS##_nbi(SHMEM_CTX_DEFAULT, got + 5 * (BYTES), memory + 5 * (BYTES), 2, right); \
  shmem_ctx_iget##BITS(SHMEM_CTX_DEFAULT, got + 7 * (BYTES), memory + 7 * (BYTES), 1, 1, 1, right); \
  shmem_quiet(); \
  EXPECT_EQUAL(wrong, memcmp(got, mine, 8 * (BYTES)), 0); \
  shmem_barrier_all();
/* clang-format on */

int check_sized_moves(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
  char* const memory = shmem_malloc(8 * 16);
  char mine[8 * 16], got[8 * 16];
  for (int i = 0; i < 8 * 16; i++) mine[i] = (char)(me + i);
  BOXCAR_SHMEM_SIZES(CHECK_SIZE)
  memset(memory, 0, 16);
  shmem_barrier_all();
  shmem_putmem_nbi(memory, mine, 3, right);
  shmem_ctx_putmem(SHMEM_CTX_DEFAULT, memory + 3, mine + 3, 3, right);
  shmem_ctx_putmem_nbi(SHMEM_CTX_DEFAULT, memory + 6, mine + 6, 3, right);
  shmem_quiet();
  memset(got, 0, sizeof got);
  shmem_getmem_nbi(got, memory, 3, right);
  shmem_ctx_getmem(SHMEM_CTX_DEFAULT, got + 3, memory + 3, 3, right);
  shmem_ctx_getmem_nbi(SHMEM_CTX_DEFAULT, got + 6, memory + 6, 3, right);
  shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
  EXPECT_EQUAL(wrong, memcmp(got, mine, 9), 0);
  shmem_barrier_all();
  shmem_free(memory);
  return wrong;
}
