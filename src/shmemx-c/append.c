/* The append buffers of boxcar_shmemx.h on OpenSHMEM, managed by the sender: Listing 1 of the
 * paper, with the count of complete bytes of the paper's section 2.1. */
#include <boxcar_shmemx.h>
#include <stdlib.h>

#include "reach.h"

struct boxcar_shmemx_append {
  char* buffer;
  size_t bytes;
  long* reserved; /* symmetric: bytes requested; perhaps more than the room */
  long* complete; /* symmetric: bytes written */
};

static struct boxcar_shmemx_append* append(shmemx_oct_t oct, const char* function) {
  if (oct == NULL) {
    give_up(function,
            "the offset counter is NULL: give one that shmemx_oct_create has made and that has not "
            "been destroyed");
  }
  return oct;
}

static size_t reserved(shmemx_oct_t oct) {
  const size_t wanted = (size_t)read_word(oct->reserved);
  return wanted < oct->bytes ? wanted : oct->bytes;
}

/* Collective: a push to another PE needs the size of the buffer there. */
static void require_same_size(long* word, size_t bytes, const char* function) {
  write_word(word, (long)bytes);
  shmem_barrier_all();
  const long first = shmem_long_atomic_fetch(word, 0);
  if (first != (long)bytes) {
    give_up(function, "the buffer has %zu bytes, and that of PE 0 %ld: give the same on all PEs",
            bytes, first);
  }
  shmem_barrier_all();
  write_word(word, 0);
}

shmemx_oct_t boxcar_shmemx_oct_create(void* buffer, size_t bytes, const char* function) {
  require_reach(buffer, bytes, shmem_my_pe(), "buffer", function);
  shmemx_oct_t oct = malloc(sizeof *oct);
  if (oct == NULL) give_up(function, "the machine has no memory left");
  long* const words = make_words(2, function);
  *oct = (struct boxcar_shmemx_append){
      .buffer = buffer, .bytes = bytes, .reserved = words, .complete = words + WORDS_APART};
  require_same_size(oct->reserved, bytes, function);
  shmem_barrier_all();
  return oct;
}

void boxcar_shmemx_oct_free(shmemx_oct_t* oct, const char* function) {
  long* const words = append(*oct, function)->reserved;
  shmem_barrier_all();
  shmem_free(words);
  free(*oct);
  *oct = NULL;
}

void boxcar_shmemx_oct_reset(shmemx_oct_t oct, const char* function) {
  const size_t complete = (size_t)read_word(append(oct, function)->complete);
  if (complete != reserved(oct)) {
    give_up(
        function,
        "a push is under way (%zu bytes have a place, %zu are there); wait, or let all PEs come "
        "together first",
        reserved(oct), complete);
  }
  write_word(oct->complete, 0);
  write_word(oct->reserved, 0);
}

size_t boxcar_shmemx_oct_get(shmemx_oct_t oct, const char* function) {
  return reserved(append(oct, function));
}

size_t boxcar_shmemx_oct_get_complete(shmemx_oct_t oct, const char* function) {
  return (size_t)read_word(append(oct, function)->complete);
}

void boxcar_shmemx_oct_wait(shmemx_oct_t oct, size_t bytes, const char* function) {
  if (bytes > append(oct, function)->bytes) {
    give_up(function, "%zu bytes can never arrive in a buffer of %zu; wait for at most that", bytes,
            oct->bytes);
  }
  shmem_long_wait_until(oct->complete, SHMEM_CMP_GE, (long)bytes);
  /* The loop reads the count of complete bytes first. A count behind the reserved bytes is going
   * to change. */
  for (;;) {
    const long complete = read_word(oct->complete);
    if ((size_t)complete == reserved(oct)) return;
    shmem_long_wait_until(oct->complete, SHMEM_CMP_NE, complete);
  }
}

size_t boxcar_shmemx_push(shmemx_oct_t oct, const void* source, size_t bytes, int pe, int waits,
                          const char* function) {
  (void)waits; /* the push has to wait for its offset in any case */
  require_reach(append(oct, function)->buffer, 0, pe, "buffer", function);
  if (bytes == 0) return 0;
  const size_t at = (size_t)fetch_add_to_word(oct->reserved, (long)bytes, pe);
  const size_t room = at < oct->bytes ? oct->bytes - at : 0;
  const size_t taken = bytes < room ? bytes : room;
  if (taken == 0) return 0;
  put_in_order(oct->buffer + at, source, taken, pe);
  add_to_word(oct->complete, (long)taken, pe);
  return taken;
}
