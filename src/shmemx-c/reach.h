/* The access to the symmetric memory of other PEs of an OpenSHMEM job: by loads, stores and atomic
 * operations of the core, if all PEs share memory; otherwise by OpenSHMEM's operations. All PEs use
 * the same means, since an adapter's atomic operations need not be atomic beside a core's. */
#ifndef BOXCAR_SHMEMX_REACH_H
#define BOXCAR_SHMEMX_REACH_H

#include <stdbool.h>
#include <stddef.h>

/* The names of these functions for the linker: a program may have functions of the short names. */
#define make_words boxcar_shmemx_make_words
#define put_in_order boxcar_shmemx_put_in_order
#define add_to_word boxcar_shmemx_add_to_word
#define fetch_add_to_word boxcar_shmemx_fetch_add_to_word
#define read_word boxcar_shmemx_read_word
#define write_word boxcar_shmemx_write_word
#define require_reach boxcar_shmemx_require_reach
#define give_up boxcar_shmemx_give_up

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* Zeroed symmetric words, each alone in its cache line: word i is words[i * WORDS_APART]. */
enum { WORDS_APART = 8 };

/* Collective. Ends the job if the symmetric heap has no room. */
long* make_words(size_t count, const char* function);

/* Puts `bytes` from `source` into the symmetric object `dest` of PE `pe`. The bytes are visible on
 * `pe` before later operations. */
void put_in_order(void* dest, const void* source, size_t bytes, int pe);
/* Adds `n` to a symmetric word of `pe`: a reader of the sum sees all bytes put before. */
void add_to_word(long* word, long n, int pe);
/* Adds `n` to a symmetric word of `pe`, without a promise about earlier puts. Returns the old value
 * of the word. */
long fetch_add_to_word(long* word, long n, int pe);

/* For words of this PE. */
long read_word(long* word);
void write_word(long* word, long value);

/* Ends the job unless `pe` exists, and the bytes, if any, are in symmetric memory. `what` names the
 * argument in the message. */
void require_reach(const void* address, size_t bytes, int pe, const char* what,
                   const char* function);

/* Ends the job with status 1, and a message. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
void give_up(const char* function, const char* format, ...);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
