/* The counters of boxcar_shmemx.h on OpenSHMEM: a put, a fence, and an addition to a word. */
#include <boxcar_shmemx.h>
#include <stdlib.h>

#include "reach.h"

struct boxcar_shmemx_counter {
  long* word; /* symmetric; only ever added to */
  long base;  /* the counter is base + word */
};

static struct boxcar_shmemx_counter* counter(shmemx_ct_t ct, const char* function) {
  if (ct == NULL) {
    give_up(function,
            "the counter is NULL: give one that shmemx_ct_create has made and that has not been "
            "freed");
  }
  return ct;
}

static void require_count(long value, const char* function) {
  if (value < 0) {
    give_up(function, "the count is %ld, but counters are not negative; give at least 0", value);
  }
}

shmemx_ct_t boxcar_shmemx_ct_create(const char* function) {
  shmemx_ct_t ct = malloc(sizeof *ct);
  if (ct == NULL) give_up(function, "the machine has no memory left");
  ct->word = make_words(1, function);
  ct->base = 0;
  return ct;
}

void boxcar_shmemx_ct_free(shmemx_ct_t* ct, const char* function) {
  long* const word = counter(*ct, function)->word;
  shmem_barrier_all();
  shmem_free(word);
  free(*ct);
  *ct = NULL;
}

long boxcar_shmemx_ct_get(shmemx_ct_t ct, const char* function) {
  return counter(ct, function)->base + read_word(ct->word);
}

void boxcar_shmemx_ct_set(shmemx_ct_t ct, long value, const char* function) {
  require_count(value, function);
  counter(ct, function)->base = value - read_word(ct->word);
}

void boxcar_shmemx_ct_wait(shmemx_ct_t ct, long value, const char* function) {
  require_count(value, function);
  shmem_long_wait_until(counter(ct, function)->word, SHMEM_CMP_GE, value - ct->base);
}

void boxcar_shmemx_put(shmemx_ct_t ct, void* dest, const void* source, size_t bytes, int pe,
                       const char* function) {
  require_reach(dest, bytes, pe, "target", function);
  long* const word = counter(ct, function)->word;
  put_in_order(dest, source, bytes, pe);
  add_to_word(word, 1, pe);
}

void boxcar_shmemx_get(shmemx_ct_t ct, void* dest, const void* source, size_t bytes, int pe,
                       const char* function) {
  require_reach(source, bytes, pe, "source", function);
  long* const word = counter(ct, function)->word;
  shmem_getmem(dest, source, bytes, pe);
  add_to_word(word, 1, pe);
}
