/* Append buffers. */
#include <boxcar_shmemx.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "expect.h"

/* Each PE pushes `pushes` records of its own to each other PE: number i has i bytes after its
 * head. */
struct head {
  unsigned char pe, number;
};

static size_t record(unsigned char* into, int pe, int number) {
  const struct head h = {(unsigned char)pe, (unsigned char)number};
  memcpy(into, &h, sizeof h);
  memset(into + sizeof h, pe + number, (size_t)number);
  return sizeof h + (size_t)number;
}

int check_append(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  enum { pushes = 40 };
  const size_t of_one = pushes * sizeof(struct head) + pushes * (pushes - 1) / 2;
  const size_t all = of_one * (size_t)pes;
  unsigned char* const buffer = shmem_malloc(all + 1);
  buffer[all] = 123;
  shmemx_oct_t oct;
  shmemx_oct_create(&oct, buffer, all);
  EXPECT_EQUAL(wrong, shmemx_oct_get(oct), 0);
  shmem_barrier_all();

  unsigned char text[sizeof(struct head) + pushes];
  for (int i = 0; i < pushes; i++) {
    const size_t bytes = record(text, me, i);
    for (int k = 0; k < pes; k++) {
      const int to = (me + k) % pes;
      if (i % 3 == 0) {
        shmemx_push_nbi(oct, text, bytes, to);
      } else {
        EXPECT_EQUAL(wrong, shmemx_push(oct, text, bytes, to), bytes);
      }
    }
  }
  shmemx_oct_wait(oct, all);
  EXPECT_EQUAL(wrong, shmemx_oct_get(oct), all);
  EXPECT_EQUAL(wrong, shmemx_oct_get_complete(oct), all);
  size_t complete = 0;
  size_t reserved = 0;
  shmemx_oct_get_counts(oct, &complete, &reserved);
  EXPECT_EQUAL(wrong, complete, all);
  EXPECT_EQUAL(wrong, reserved, all);

  /* Each record is there once, in one piece. */
  int* const seen = calloc((size_t)pes * pushes, sizeof(int));
  for (size_t at = 0; at < all;) {
    struct head h;
    memcpy(&h, buffer + at, sizeof h);
    EXPECT_EQUAL(wrong, h.pe < pes && h.number < pushes, 1);
    if (wrong != 0) break;
    ++seen[h.pe * pushes + h.number];
    for (int i = 0; i < h.number; i++) {
      EXPECT_EQUAL(wrong, buffer[at + sizeof h + (size_t)i], (unsigned char)(h.pe + h.number));
    }
    at += sizeof h + h.number;
  }
  for (int i = 0; i < pes * pushes; i++) EXPECT_EQUAL(wrong, seen[i], 1);
  EXPECT_EQUAL(wrong, buffer[all], 123);
  free(seen);

  /* The buffer is full. */
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, shmemx_push(oct, text, 1, (me + 1) % pes), 0);
  EXPECT_EQUAL(wrong, shmemx_push(oct, text, 0, me), 0);
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, shmemx_oct_get(oct), all);
  shmemx_oct_destroy(&oct);
  EXPECT_EQUAL(wrong, oct == NULL, 1);
  shmem_free(buffer);
  return wrong;
}

/* A push beyond the end is cut off to the byte; after a reset the buffer begins anew. */
int check_append_rounds(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int right = (me + 1) % pes;
  enum { room = 5000, large = 2100 };
  unsigned char* const buffer = shmem_calloc(room + 8, 1);
  unsigned char text[large];
  shmemx_oct_t oct;
  shmemx_oct_create(&oct, buffer, room);
  for (int round = 1; round <= 10; round++) {
    memset(text, round, sizeof text);
    size_t taken = 0;
    for (int i = 0; i < 4; i++) taken += shmemx_push(oct, text, large, right);
    EXPECT_EQUAL(wrong, taken, room);
    shmemx_oct_wait(oct, room);
    for (int i = 0; i < room; i++) EXPECT_EQUAL(wrong, buffer[i], round);
    EXPECT_EQUAL(wrong, buffer[room], 0);
    shmem_barrier_all();
    shmemx_oct_reset(oct);
    EXPECT_EQUAL(wrong, shmemx_oct_get(oct), 0);
    EXPECT_EQUAL(wrong, shmemx_oct_get_complete(oct), 0);
    shmem_barrier_all();
  }
  shmemx_oct_destroy(&oct);
  shmem_free(buffer);
  return wrong;
}
