/* Counting puts under the names of Sandia OpenSHMEM ("Reducing Synchronization Overhead Through
 * Bundled Communication", Dinan and others, 2014), and one-sided append ("One-Sided Append: A New
 * Communication Paradigm for PGAS Models", Dinan and Flajslik, 2014). For programs that use
 * OpenSHMEM, in C11 and C++: that of the machine, whose shmem.h this includes, or the part of it
 * that Boxcar brings along. docs/openshmem.md explains both with examples.
 *
 * A program that makes a mistake is told so on standard error, and the job ends with status 1.
 */
#ifndef BOXCAR_SHMEMX_H
#define BOXCAR_SHMEMX_H

#include <shmem.h>
#include <stddef.h>
#include <stdint.h>

/* A counter on each PE. */
typedef struct boxcar_shmemx_counter* shmemx_ct_t;
/* An append buffer on each PE, and the offsets that belong to it. */
typedef struct boxcar_shmemx_append* shmemx_oct_t;

/* --- What the functions below call; not for programs ------------------------------------------ */
#ifdef __cplusplus
extern "C" {
#endif

shmemx_ct_t boxcar_shmemx_ct_create(const char* function);
void boxcar_shmemx_ct_free(shmemx_ct_t* ct, const char* function);
long boxcar_shmemx_ct_get(shmemx_ct_t ct, const char* function);
void boxcar_shmemx_ct_set(shmemx_ct_t ct, long value, const char* function);
void boxcar_shmemx_ct_wait(shmemx_ct_t ct, long value, const char* function);
void boxcar_shmemx_put(shmemx_ct_t ct, void* dest, const void* source, size_t bytes, int pe,
                       const char* function);
void boxcar_shmemx_get(shmemx_ct_t ct, void* dest, const void* source, size_t bytes, int pe,
                       const char* function);
shmemx_oct_t boxcar_shmemx_oct_create(void* buffer, size_t bytes, const char* function);
void boxcar_shmemx_oct_free(shmemx_oct_t* oct, const char* function);
void boxcar_shmemx_oct_reset(shmemx_oct_t oct, const char* function);
size_t boxcar_shmemx_oct_get(shmemx_oct_t oct, const char* function);
size_t boxcar_shmemx_oct_get_complete(shmemx_oct_t oct, const char* function);
void boxcar_shmemx_oct_wait(shmemx_oct_t oct, size_t bytes, const char* function);
size_t boxcar_shmemx_push(shmemx_oct_t oct, const void* source, size_t bytes, int pe, int waits,
                          const char* function);

/* --- Counters --------------------------------------------------------------------------------- */
/* Collective. All are 0. */
static inline void shmemx_ct_create(shmemx_ct_t* ct) {
  *ct = boxcar_shmemx_ct_create(__func__);
}
/* Collective; nothing may be under way to the counters. `*ct` becomes NULL. */
static inline void shmemx_ct_free(shmemx_ct_t* ct) {
  boxcar_shmemx_ct_free(ct, __func__);
}
/* This PE's own: local. */
static inline long shmemx_ct_get(shmemx_ct_t ct) {
  return boxcar_shmemx_ct_get(ct, __func__);
}
static inline void shmemx_ct_set(shmemx_ct_t ct, long value) {
  boxcar_shmemx_ct_set(ct, value, __func__);
}
/* Returns when the counter is at least that. */
static inline void shmemx_ct_wait(shmemx_ct_t ct, long wait_for) {
  boxcar_shmemx_ct_wait(ct, wait_for, __func__);
}

/* Returns when `source` may be overwritten. The counter of PE `pe` grows by 1 when the data are
 * there, also if there are none; that says nothing of earlier puts, and counted puts count in no
 * order, unless there is a fence between. */
static inline void shmemx_putmem_ct(shmemx_ct_t ct, void* target, const void* source, size_t len,
                                    int pe) {
  boxcar_shmemx_put(ct, target, source, len, pe, __func__);
}
/* Returns when the data are here. The counter of PE `pe`, where they come from, grows by 1. */
static inline void shmemx_getmem_ct(shmemx_ct_t ct, void* target, const void* source, size_t len,
                                    int pe) {
  boxcar_shmemx_get(ct, target, source, len, pe, __func__);
}

/* The same for `len` elements: shmemx_put32_ct, shmemx_double_get_ct. */
#define BOXCAR_SHMEMX_SIZED(BITS, BYTES)                                                     \
  static inline void shmemx_put##BITS##_ct(shmemx_ct_t ct, void* target, const void* source, \
                                           size_t len, int pe) {                             \
    boxcar_shmemx_put(ct, target, source, len*(BYTES), pe, __func__);                        \
  }                                                                                          \
  static inline void shmemx_get##BITS##_ct(shmemx_ct_t ct, void* target, const void* source, \
                                           size_t len, int pe) {                             \
    boxcar_shmemx_get(ct, target, source, len*(BYTES), pe, __func__);                        \
  }
BOXCAR_SHMEMX_SIZED(8, 1)
BOXCAR_SHMEMX_SIZED(16, 2)
BOXCAR_SHMEMX_SIZED(32, 4)
BOXCAR_SHMEMX_SIZED(64, 8)
BOXCAR_SHMEMX_SIZED(128, 16)
#undef BOXCAR_SHMEMX_SIZED

#define BOXCAR_SHMEMX_TYPED(NAME, TYPE)                                                       \
  static inline void shmemx_##NAME##_put_ct(shmemx_ct_t ct, TYPE* target, const TYPE* source, \
                                            size_t len, int pe) {                             \
    boxcar_shmemx_put(ct, target, source, len * sizeof(TYPE), pe, __func__);                  \
  }                                                                                           \
  static inline void shmemx_##NAME##_get_ct(shmemx_ct_t ct, TYPE* target, const TYPE* source, \
                                            size_t len, int pe) {                             \
    boxcar_shmemx_get(ct, target, source, len * sizeof(TYPE), pe, __func__);                  \
  }
BOXCAR_SHMEMX_TYPED(char, char)
BOXCAR_SHMEMX_TYPED(schar, signed char)
BOXCAR_SHMEMX_TYPED(short, short)
BOXCAR_SHMEMX_TYPED(int, int)
BOXCAR_SHMEMX_TYPED(long, long)
BOXCAR_SHMEMX_TYPED(longlong, long long)
BOXCAR_SHMEMX_TYPED(uchar, unsigned char)
BOXCAR_SHMEMX_TYPED(ushort, unsigned short)
BOXCAR_SHMEMX_TYPED(uint, unsigned int)
BOXCAR_SHMEMX_TYPED(ulong, unsigned long)
BOXCAR_SHMEMX_TYPED(ulonglong, unsigned long long)
BOXCAR_SHMEMX_TYPED(float, float)
BOXCAR_SHMEMX_TYPED(double, double)
BOXCAR_SHMEMX_TYPED(longdouble, long double)
BOXCAR_SHMEMX_TYPED(int8, int8_t)
BOXCAR_SHMEMX_TYPED(int16, int16_t)
BOXCAR_SHMEMX_TYPED(int32, int32_t)
BOXCAR_SHMEMX_TYPED(int64, int64_t)
BOXCAR_SHMEMX_TYPED(uint8, uint8_t)
BOXCAR_SHMEMX_TYPED(uint16, uint16_t)
BOXCAR_SHMEMX_TYPED(uint32, uint32_t)
BOXCAR_SHMEMX_TYPED(uint64, uint64_t)
BOXCAR_SHMEMX_TYPED(size, size_t)
BOXCAR_SHMEMX_TYPED(ptrdiff, ptrdiff_t)
#undef BOXCAR_SHMEMX_TYPED

/* --- One-sided append (section 2 of the paper) ------------------------------------------------ */
/* Collective: the symmetric buffer of `len` bytes, the same on all PEs, that others append to. */
static inline void shmemx_oct_create(shmemx_oct_t* oct, void* buffer, size_t len) {
  *oct = boxcar_shmemx_oct_create(buffer, len, __func__);
}
/* Collective; nothing may be under way to the buffers, which stay. `*oct` becomes NULL. */
static inline void shmemx_oct_destroy(shmemx_oct_t* oct) {
  boxcar_shmemx_oct_free(oct, __func__);
}

/* Appends `len` bytes to the buffer of PE `pe`, one behind the other; what does not fit is left
 * out. Returns how many found room, when `source` may be overwritten. They are there after a
 * barrier, or when the owner sees that they are complete. */
static inline size_t shmemx_push(shmemx_oct_t oct, const void* source, size_t len, int pe) {
  return boxcar_shmemx_push(oct, source, len, pe, 1, __func__);
}
/* The same without waiting to hear how many found room. */
static inline void shmemx_push_nbi(shmemx_oct_t oct, const void* source, size_t len, int pe) {
  boxcar_shmemx_push(oct, source, len, pe, 0, __func__);
}

/* This PE's own buffer: local. Since the last reset: how many bytes have a place, and how many are
 * there. Pushes go on between two calls: to compare both numbers, take them from
 * shmemx_oct_get_counts. */
static inline size_t shmemx_oct_get(shmemx_oct_t oct) {
  return boxcar_shmemx_oct_get(oct, __func__);
}
static inline size_t shmemx_oct_get_complete(shmemx_oct_t oct) {
  return boxcar_shmemx_oct_get_complete(oct, __func__);
}
/* Both, of which the smaller one is read first: if they are the same, no push was under way, and
 * all up to there can be read. */
static inline void shmemx_oct_get_counts(shmemx_oct_t oct, size_t* complete, size_t* reserved) {
  *complete = boxcar_shmemx_oct_get_complete(oct, __func__);
  *reserved = boxcar_shmemx_oct_get(oct, __func__);
}
/* Returns when at least so many bytes, from the beginning of the buffer on, can be read. */
static inline void shmemx_oct_wait(shmemx_oct_t oct, size_t len) {
  boxcar_shmemx_oct_wait(oct, len, __func__);
}
/* What comes from now on goes to the beginning. No push may be under way. */
static inline void shmemx_oct_reset(shmemx_oct_t oct) {
  boxcar_shmemx_oct_reset(oct, __func__);
}

#ifdef __cplusplus
}
#endif

#endif
