/* The header gives a part of OpenSHMEM 1.5 on every substrate of Boxcar: threads, processes, MPI,
 * OpenSHMEM itself. The header is for programs in C11 (and C++, except for the type-generic names)
 * that must also run where there is no OpenSHMEM; where there is an OpenSHMEM, its own shmem.h is
 * the better choice. docs/openshmem.md lists the functions and the differences.
 *
 * Symmetric memory is the memory that shmem_malloc and related functions return, and nothing else:
 * no variables. A mistake of a program is reported on standard error, and the job ends with status
 * 1; where PEs are threads of boxcar::run, the functions throw boxcar::error instead.
 */
#ifndef BOXCAR_OPENSHMEM_SHMEM_H
#define BOXCAR_OPENSHMEM_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_VENDOR_STRING "Boxcar"

/* The comparisons of shmem_wait_until. */
enum boxcar_shmem_comparison {
  SHMEM_CMP_EQ,
  SHMEM_CMP_NE,
  SHMEM_CMP_GT,
  SHMEM_CMP_LE,
  SHMEM_CMP_LT,
  SHMEM_CMP_GE
};

/* --- Internal functions of the functions below; not for programs ------------------------------ */
#ifdef __cplusplus
extern "C" {
#endif

enum boxcar_shmem_update {
  boxcar_shmem_fetch,
  boxcar_shmem_set,
  boxcar_shmem_add,
  boxcar_shmem_swap,
  boxcar_shmem_compare_swap
};

void boxcar_shmem_init(const char* function);
void boxcar_shmem_finalize(const char* function);
int boxcar_shmem_my_pe(const char* function);
int boxcar_shmem_n_pes(const char* function);
void* boxcar_shmem_ptr(const void* address, int pe, const char* function);
void* boxcar_shmem_allocate(size_t bytes, int zeroed, const char* function);
void boxcar_shmem_free(void* memory, const char* function);
void boxcar_shmem_barrier_all(const char* function);
void boxcar_shmem_fence(const char* function);
void boxcar_shmem_quiet(const char* function);
void boxcar_shmem_put(void* dest, const void* source, size_t bytes, int pe, const char* function);
void boxcar_shmem_get(void* dest, const void* source, size_t bytes, int pe, const char* function);
/* Updates a word of `bytes` bytes; `value` and `expected` point at values of the same size.
 * `before`, unless NULL, receives the former value of the word. */
void boxcar_shmem_atomic(enum boxcar_shmem_update how, void* dest, size_t bytes, const void* value,
                         const void* expected, void* before, int pe, const char* function);
/* Waits until `holds(word, value, comparison)` returns true. */
void boxcar_shmem_wait(const void* word, size_t bytes, const void* value, int comparison,
                       int (*holds)(const void*, const void*, int), const char* function);

/* Returns the number of bytes; more than any memory has if the product overflows. */
static inline size_t boxcar_shmem_bytes(size_t nelems, size_t size) {
  return nelems > SIZE_MAX / size ? SIZE_MAX : nelems * size;
}

/* --- Beginning and end; who and where ------------------------------------------------------------
 * shmem_init and shmem_finalize are collective. The symmetric heap has SHMEM_SYMMETRIC_SIZE bytes
 * (an environment variable: 64M if not set). */
static inline void shmem_init(void) {
  boxcar_shmem_init(__func__);
}
static inline void shmem_finalize(void) {
  boxcar_shmem_finalize(__func__);
}
static inline int shmem_my_pe(void) {
  return boxcar_shmem_my_pe(__func__);
}
static inline int shmem_n_pes(void) {
  return boxcar_shmem_n_pes(__func__);
}
/* Returns the address of another PE's symmetric object for the calling PE; NULL if the other PE is
 * on another node. */
static inline void* shmem_ptr(const void* dest, int pe) {
  return boxcar_shmem_ptr(dest, pe, __func__);
}

/* --- Symmetric memory; collective, with the same arguments on all PEs ----------------------------
 * NULL if the heap has no room. Aligned to 64 bytes. */
static inline void* shmem_malloc(size_t size) {
  return boxcar_shmem_allocate(size, 0, __func__);
}
static inline void* shmem_calloc(size_t count, size_t size) {
  return boxcar_shmem_allocate(size == 0 ? 0 : boxcar_shmem_bytes(count, size), 1, __func__);
}
static inline void shmem_free(void* memory) {
  boxcar_shmem_free(memory, __func__);
}

/* --- Order and completion --------------------------------------------------------------------- */
/* Collective. Returns when all puts of all PEs have arrived. */
static inline void shmem_barrier_all(void) {
  boxcar_shmem_barrier_all(__func__);
}
/* Orders puts: each target sees the PE's puts before the fence before the PE's puts after the
 * fence. */
static inline void shmem_fence(void) {
  boxcar_shmem_fence(__func__);
}
/* Returns when all puts of the PE have arrived. */
static inline void shmem_quiet(void) {
  boxcar_shmem_quiet(__func__);
}

/* --- Puts and gets ---------------------------------------------------------------------------- */
static inline void shmem_putmem(void* dest, const void* source, size_t bytes, int pe) {
  boxcar_shmem_put(dest, source, bytes, pe, __func__);
}
static inline void shmem_getmem(void* dest, const void* source, size_t bytes, int pe) {
  boxcar_shmem_get(dest, source, bytes, pe, __func__);
}

#define BOXCAR_SHMEM_SIZES(DO) DO(8, 1) DO(16, 2) DO(32, 4) DO(64, 8) DO(128, 16)
#define BOXCAR_SHMEM_SIZED(BITS, BYTES)                                                       \
  static inline void shmem_put##BITS(void* dest, const void* source, size_t nelems, int pe) { \
    boxcar_shmem_put(dest, source, nelems*(BYTES), pe, __func__);                             \
  }                                                                                           \
  static inline void shmem_get##BITS(void* dest, const void* source, size_t nelems, int pe) { \
    boxcar_shmem_get(dest, source, nelems*(BYTES), pe, __func__);                             \
  }
BOXCAR_SHMEM_SIZES(BOXCAR_SHMEM_SIZED)

/* The types with a type-generic name, each by another name of the language; and further names. */
/* clang-format off */
#define BOXCAR_SHMEM_INTEGERS(DO) \
  DO(int, int) DO(long, long) DO(longlong, long long) \
  DO(uint, unsigned int) DO(ulong, unsigned long) DO(ulonglong, unsigned long long)
#define BOXCAR_SHMEM_SMALL_TYPES(DO) \
  DO(char, char) DO(schar, signed char) DO(uchar, unsigned char) \
  DO(short, short) DO(ushort, unsigned short) \
  DO(float, float) DO(double, double) DO(longdouble, long double)
#define BOXCAR_SHMEM_INTEGER_NAMES(DO) \
  DO(int32, int32_t) DO(int64, int64_t) DO(uint32, uint32_t) DO(uint64, uint64_t) \
  DO(size, size_t) DO(ptrdiff, ptrdiff_t)
#define BOXCAR_SHMEM_SMALL_NAMES(DO) \
  DO(int8, int8_t) DO(int16, int16_t) DO(uint8, uint8_t) DO(uint16, uint16_t)
#define BOXCAR_SHMEM_RMA_TYPES(DO) \
  BOXCAR_SHMEM_INTEGERS(DO) BOXCAR_SHMEM_SMALL_TYPES(DO) \
  BOXCAR_SHMEM_INTEGER_NAMES(DO) BOXCAR_SHMEM_SMALL_NAMES(DO)
#define BOXCAR_SHMEM_AMO_TYPES(DO) \
  BOXCAR_SHMEM_INTEGERS(DO) BOXCAR_SHMEM_INTEGER_NAMES(DO)
/* clang-format on */

#define BOXCAR_SHMEM_RMA(NAME, TYPE)                                                             \
  static inline void shmem_##NAME##_put(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    boxcar_shmem_put(dest, source, boxcar_shmem_bytes(nelems, sizeof(TYPE)), pe, __func__);      \
  }                                                                                              \
  static inline void shmem_##NAME##_get(TYPE* dest, const TYPE* source, size_t nelems, int pe) { \
    boxcar_shmem_get(dest, source, boxcar_shmem_bytes(nelems, sizeof(TYPE)), pe, __func__);      \
  }                                                                                              \
  static inline void shmem_##NAME##_p(TYPE* dest, TYPE value, int pe) {                          \
    boxcar_shmem_put(dest, &value, sizeof(TYPE), pe, __func__);                                  \
  }                                                                                              \
  static inline TYPE shmem_##NAME##_g(const TYPE* source, int pe) {                              \
    TYPE value;                                                                                  \
    boxcar_shmem_get(&value, source, sizeof(TYPE), pe, __func__);                                \
    return value;                                                                                \
  }
BOXCAR_SHMEM_RMA_TYPES(BOXCAR_SHMEM_RMA)

/* --- Atomic operations, and waiting for what they and puts of one element write --------------- */
#define BOXCAR_SHMEM_AMO(NAME, TYPE)                                                               \
  static inline TYPE shmem_##NAME##_atomic_fetch(const TYPE* source, int pe) {                     \
    TYPE before;                                                                                   \
    boxcar_shmem_atomic(boxcar_shmem_fetch, (void*)(uintptr_t)source, sizeof(TYPE), NULL, NULL,    \
                        &before, pe, __func__);                                                    \
    return before;                                                                                 \
  }                                                                                                \
  static inline void shmem_##NAME##_atomic_set(TYPE* dest, TYPE value, int pe) {                   \
    boxcar_shmem_atomic(boxcar_shmem_set, dest, sizeof(TYPE), &value, NULL, NULL, pe, __func__);   \
  }                                                                                                \
  static inline void shmem_##NAME##_atomic_add(TYPE* dest, TYPE value, int pe) {                   \
    boxcar_shmem_atomic(boxcar_shmem_add, dest, sizeof(TYPE), &value, NULL, NULL, pe, __func__);   \
  }                                                                                                \
  static inline void shmem_##NAME##_atomic_inc(TYPE* dest, int pe) {                               \
    const TYPE one = 1;                                                                            \
    boxcar_shmem_atomic(boxcar_shmem_add, dest, sizeof(TYPE), &one, NULL, NULL, pe, __func__);     \
  }                                                                                                \
  static inline TYPE shmem_##NAME##_atomic_fetch_add(TYPE* dest, TYPE value, int pe) {             \
    TYPE before;                                                                                   \
    boxcar_shmem_atomic(boxcar_shmem_add, dest, sizeof(TYPE), &value, NULL, &before, pe,           \
                        __func__);                                                                 \
    return before;                                                                                 \
  }                                                                                                \
  static inline TYPE shmem_##NAME##_atomic_fetch_inc(TYPE* dest, int pe) {                         \
    const TYPE one = 1;                                                                            \
    TYPE before;                                                                                   \
    boxcar_shmem_atomic(boxcar_shmem_add, dest, sizeof(TYPE), &one, NULL, &before, pe, __func__);  \
    return before;                                                                                 \
  }                                                                                                \
  static inline TYPE shmem_##NAME##_atomic_swap(TYPE* dest, TYPE value, int pe) {                  \
    TYPE before;                                                                                   \
    boxcar_shmem_atomic(boxcar_shmem_swap, dest, sizeof(TYPE), &value, NULL, &before, pe,          \
                        __func__);                                                                 \
    return before;                                                                                 \
  }                                                                                                \
  static inline TYPE shmem_##NAME##_atomic_compare_swap(TYPE* dest, TYPE cond, TYPE value,         \
                                                        int pe) {                                  \
    TYPE before;                                                                                   \
    boxcar_shmem_atomic(boxcar_shmem_compare_swap, dest, sizeof(TYPE), &value, &cond, &before, pe, \
                        __func__);                                                                 \
    return before;                                                                                 \
  }                                                                                                \
  static inline int boxcar_shmem_##NAME##_holds(const void* word, const void* value, int cmp) {    \
    const TYPE a = *(const TYPE*)word;                                                             \
    const TYPE b = *(const TYPE*)value;                                                            \
    switch (cmp) {                                                                                 \
      case SHMEM_CMP_EQ:                                                                           \
        return a == b;                                                                             \
      case SHMEM_CMP_NE:                                                                           \
        return a != b;                                                                             \
      case SHMEM_CMP_GT:                                                                           \
        return a > b;                                                                              \
      case SHMEM_CMP_LE:                                                                           \
        return a <= b;                                                                             \
      case SHMEM_CMP_LT:                                                                           \
        return a < b;                                                                              \
      default:                                                                                     \
        return a >= b;                                                                             \
    }                                                                                              \
  }                                                                                                \
  static inline void shmem_##NAME##_wait_until(TYPE* ivar, int cmp, TYPE cmp_value) {              \
    boxcar_shmem_wait(ivar, sizeof(TYPE), &cmp_value, cmp, boxcar_shmem_##NAME##_holds, __func__); \
  }
BOXCAR_SHMEM_AMO_TYPES(BOXCAR_SHMEM_AMO)

/* The names of the functions before OpenSHMEM 1.4. */
static inline int shmem_int_fadd(int* dest, int value, int pe) {
  return shmem_int_atomic_fetch_add(dest, value, pe);
}
static inline long shmem_long_fadd(long* dest, long value, int pe) {
  return shmem_long_atomic_fetch_add(dest, value, pe);
}
static inline long long shmem_longlong_fadd(long long* dest, long long value, int pe) {
  return shmem_longlong_atomic_fetch_add(dest, value, pe);
}

#ifdef __cplusplus
}
#endif

/* --- Type-generic names ----------------------------------------------------------------------- */
#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L
#define BOXCAR_SHMEM_OF_INTEGERS(WHAT)                                        \
  int : shmem_int_##WHAT,                                                     \
        long : shmem_long_##WHAT,                                             \
               long long : shmem_longlong_##WHAT,                             \
                           unsigned int : shmem_uint_##WHAT,                  \
                                          unsigned long : shmem_ulong_##WHAT, \
                                                          unsigned long long  \
      : shmem_ulonglong_##WHAT
#define BOXCAR_SHMEM_OF_TYPES(WHAT)                                                                \
  BOXCAR_SHMEM_OF_INTEGERS(WHAT), char : shmem_char_##WHAT,                                        \
                                         signed char : shmem_schar_##WHAT,                         \
                                                       unsigned char : shmem_uchar_##WHAT,         \
                                                                       short : shmem_short_##WHAT, \
                                                                               unsigned short      \
      : shmem_ushort_##WHAT,                                                                       \
        float : shmem_float_##WHAT,                                                                \
                double : shmem_double_##WHAT,                                                      \
                         long double : shmem_longdouble_##WHAT

#define shmem_put(dest, source, nelems, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_TYPES(put))(dest, source, nelems, pe)
#define shmem_get(dest, source, nelems, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_TYPES(get))(dest, source, nelems, pe)
#define shmem_p(dest, value, pe) _Generic(*(dest), BOXCAR_SHMEM_OF_TYPES(p))(dest, value, pe)
#define shmem_g(source, pe) _Generic(*(source), BOXCAR_SHMEM_OF_TYPES(g))(source, pe)
#define shmem_atomic_fetch(source, pe) \
  _Generic(*(source), BOXCAR_SHMEM_OF_INTEGERS(atomic_fetch))(source, pe)
#define shmem_atomic_set(dest, value, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_set))(dest, value, pe)
#define shmem_atomic_add(dest, value, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_add))(dest, value, pe)
#define shmem_atomic_inc(dest, pe) _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_inc))(dest, pe)
#define shmem_atomic_fetch_add(dest, value, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_fetch_add))(dest, value, pe)
#define shmem_atomic_fetch_inc(dest, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_fetch_inc))(dest, pe)
#define shmem_atomic_swap(dest, value, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_swap))(dest, value, pe)
#define shmem_atomic_compare_swap(dest, cond, value, pe) \
  _Generic(*(dest), BOXCAR_SHMEM_OF_INTEGERS(atomic_compare_swap))(dest, cond, value, pe)
#define shmem_wait_until(ivar, cmp, cmp_value) \
  _Generic(*(ivar), BOXCAR_SHMEM_OF_INTEGERS(wait_until))(ivar, cmp, cmp_value)
#endif

#endif
