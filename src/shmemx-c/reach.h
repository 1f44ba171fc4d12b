/* How the PEs of an OpenSHMEM job reach one another's symmetric memory: by their own loads, stores
 * and atomic operations, if all of them share memory; else by OpenSHMEM's operations. It is the one
 * or the other for all, since an adapter's atomic operations need not be atomic beside a core's. */
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

/* Throughout, `bytes` from `source` to the symmetric object `dest` of PE `pe`, seen there before
 * what follows. */
void put_in_order(void* dest, const void* source, size_t bytes, int pe);
/* To a symmetric word: what was put before is seen by whoever sees the sum. */
void add_to_word(long* word, long n, int pe);
/* The same, without a promise about what was put before. Returns what the word was. */
long fetch_add_to_word(long* word, long n, int pe);

/* This PE's own words. */
long read_word(long* word);
void write_word(long* word, long value);

/* Ends the job unless there is such a PE, and the bytes, unless there are none, are in symmetric
 * memory. `what` says what they were given as. */
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
