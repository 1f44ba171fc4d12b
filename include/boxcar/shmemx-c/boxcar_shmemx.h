/* The header gives counting puts under the names of Sandia OpenSHMEM ("Reducing Synchronization
 * Overhead Through Bundled Communication", Dinan and others, 2014), and one-sided append
 * ("One-Sided Append: A New Communication Paradigm for PGAS Models", Dinan and Flajslik, 2014), for
 * programs that use OpenSHMEM, in C11 and C++: the OpenSHMEM of the machine, whose shmem.h the
 * header includes, or the OpenSHMEM that comes with Boxcar. docs/openshmem.md explains both
 * with examples.
 *
 * A mistake of a program is reported on standard error, and the job ends with status 1.
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

/* --- Internal functions of the functions below; not for programs ------------------------------ */
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
/* Collective. Makes a counter on each PE, with the value 0. */
static inline void shmemx_ct_create(shmemx_ct_t* ct) {
  *ct = boxcar_shmemx_ct_create(__func__);
}
/* Collective. Precondition: no operation to the counters is in flight. `*ct` becomes NULL. */
static inline void shmemx_ct_free(shmemx_ct_t* ct) {
  boxcar_shmemx_ct_free(ct, __func__);
}
/* Local. Returns the PE's own counter. */
static inline long shmemx_ct_get(shmemx_ct_t ct) {
  return boxcar_shmemx_ct_get(ct, __func__);
}
static inline void shmemx_ct_set(shmemx_ct_t ct, long value) {
  boxcar_shmemx_ct_set(ct, value, __func__);
}
/* Local. Returns when the PE's own counter is at least `wait_for`. */
static inline void shmemx_ct_wait(shmemx_ct_t ct, long wait_for) {
  boxcar_shmemx_ct_wait(ct, wait_for, __func__);
}

/* Returns when `source` may be overwritten. The counter of PE `pe` grows by 1 when the data have
 * arrived, also if there are no data; the counter says nothing of earlier puts, and counted puts
 * count in no order, unless there is a fence between them. */
static inline void shmemx_putmem_ct(shmemx_ct_t ct, void* target, const void* source, size_t len,
                                    int pe) {
  boxcar_shmemx_put(ct, target, source, len, pe, __func__);
}
/* Returns when the data have arrived. The counter of PE `pe`, the source of the data, grows by
 * 1. */
static inline void shmemx_getmem_ct(shmemx_ct_t ct, void* target, const void* source, size_t len,
                                    int pe) {
  boxcar_shmemx_get(ct, target, source, len, pe, __func__);
}

/* As shmemx_putmem_ct and shmemx_getmem_ct, for `len` elements: shmemx_put32_ct,
 * shmemx_double_get_ct. */
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
/* Collective. Makes an append buffer of the symmetric buffer of `len` bytes, the same on all PEs;
 * other PEs append to the buffer. */
static inline void shmemx_oct_create(shmemx_oct_t* oct, void* buffer, size_t len) {
  *oct = boxcar_shmemx_oct_create(buffer, len, __func__);
}
/* Collective. Precondition: no push is in flight. The memory of the buffers stays allocated. `*oct`
 * becomes NULL. */
static inline void shmemx_oct_destroy(shmemx_oct_t* oct) {
  boxcar_shmemx_oct_free(oct, __func__);
}

/* Appends `len` bytes to the buffer of PE `pe`, one behind the other; bytes without room are left
 * out. Returns the number of bytes with room, when `source` may be overwritten. The bytes have
 * arrived after a barrier, or when the owner sees that they are complete. */
static inline size_t shmemx_push(shmemx_oct_t oct, const void* source, size_t len, int pe) {
  return boxcar_shmemx_push(oct, source, len, pe, 1, __func__);
}
/* As shmemx_push, without waiting for the number of bytes with room. */
static inline void shmemx_push_nbi(shmemx_oct_t oct, const void* source, size_t len, int pe) {
  boxcar_shmemx_push(oct, source, len, pe, 0, __func__);
}

/* Local, on the PE's own buffer. Return, since the last reset, the number of bytes that have a
 * place, and the number of bytes that have arrived. Pushes go on between two calls: to compare both
 * numbers, take them from shmemx_oct_get_counts. */
static inline size_t shmemx_oct_get(shmemx_oct_t oct) {
  return boxcar_shmemx_oct_get(oct, __func__);
}
static inline size_t shmemx_oct_get_complete(shmemx_oct_t oct) {
  return boxcar_shmemx_oct_get_complete(oct, __func__);
}
/* Returns both numbers; the smaller number is read first: if both are equal, no push was in flight,
 * and all bytes before them can be read. */
static inline void shmemx_oct_get_counts(shmemx_oct_t oct, size_t* complete, size_t* reserved) {
  *complete = boxcar_shmemx_oct_get_complete(oct, __func__);
  *reserved = boxcar_shmemx_oct_get(oct, __func__);
}
/* Returns when at least `len` bytes, from the beginning of the buffer on, can be read. */
static inline void shmemx_oct_wait(shmemx_oct_t oct, size_t len) {
  boxcar_shmemx_oct_wait(oct, len, __func__);
}
/* Empties the PE's own buffer: later pushes go to the beginning. Precondition: no push is in
 * flight. */
static inline void shmemx_oct_reset(shmemx_oct_t oct) {
  boxcar_shmemx_oct_reset(oct, __func__);
}

#ifdef __cplusplus
}
#endif

#endif
