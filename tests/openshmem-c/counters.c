/* Counters and counted puts. */
#include <boxcar_shmemx.h>
#include <stdint.h>
#include <stdlib.h>

#include "contract.h"
#include "expect.h"

int check_counters(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  shmemx_ct_t ct, other;
  shmemx_ct_create(&ct);
  shmemx_ct_create(&other);
  int* const slots = shmem_calloc((size_t)pes + 1, sizeof(int));
  EXPECT_EQUAL(wrong, shmemx_ct_get(ct), 0);
  shmem_barrier_all();

  /* All PEs put to PE 0, which waits: a message, an empty message, a message to itself. */
  const int mine = 10 + me;
  shmemx_putmem_ct(ct, slots + me, &mine, sizeof mine, 0);
  shmemx_putmem_ct(ct, NULL, NULL, 0, 0);
  if (me == 0) {
    shmemx_ct_wait(ct, 2 * pes);
    for (int pe = 0; pe < pes; pe++) EXPECT_EQUAL(wrong, slots[pe], 10 + pe);
    EXPECT_EQUAL(wrong, shmemx_ct_get(ct), 2 * pes);
  }
  shmem_barrier_all();

  /* PE 0 puts and counts the puts, with the types and sizes. */
  if (me == 0) shmemx_ct_set(ct, 5);
  shmem_barrier_all();
  int got = 0;
  shmemx_getmem_ct(ct, &got, slots + pes - 1, sizeof got, 0);
  EXPECT_EQUAL(wrong, got, 9 + pes);
  shmemx_int_get_ct(ct, &got, slots, 1, 0);
  EXPECT_EQUAL(wrong, got, 10);
  if (me == 0) shmemx_ct_wait(ct, 5 + 2 * pes);
  shmem_barrier_all();
  shmemx_int_put_ct(ct, slots, slots + 1, 0, (me + 1) % pes);
  const uint32_t word = 77;
  shmemx_put32_ct(ct, slots + pes, &word, 1, (me + 1) % pes);
  shmemx_ct_wait(ct, me == 0 ? 7 + 2 * pes : 2);
  EXPECT_EQUAL(wrong, slots[pes], 77);
  EXPECT_EQUAL(wrong, shmemx_ct_get(other), 0);
  shmemx_ct_wait(other, 0);

  shmem_barrier_all();
  shmem_free(slots);
  shmemx_ct_free(&other);
  shmemx_ct_free(&ct);
  EXPECT_EQUAL(wrong, ct == NULL, 1);
  return wrong;
}

/* Every PE puts many blocks to every PE: none is counted before its arrival, none is lost. */
int check_counted_data(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  enum { rounds = 20, block = 300 };
  shmemx_ct_t ct;
  shmemx_ct_create(&ct);
  long* const blocks = shmem_calloc((size_t)pes * block, sizeof(long));
  long mine[block];
  shmem_barrier_all();
  for (int round = 1; round <= rounds; round++) {
    for (int i = 0; i < block; i++) mine[i] = 1000L * round + me;
    for (int k = 0; k < pes; k++) {
      shmemx_long_put_ct(ct, blocks + me * block, mine, block, (me + k) % pes);
    }
    shmemx_ct_wait(ct, (long)round * pes);
    for (int pe = 0; pe < pes; pe++) {
      EXPECT_EQUAL(wrong, blocks[pe * block], 1000L * round + pe);
      EXPECT_EQUAL(wrong, blocks[pe * block + block - 1], 1000L * round + pe);
    }
    shmem_barrier_all(); /* all PEs have read the blocks */
  }
  EXPECT_EQUAL(wrong, shmemx_ct_get(ct), (long)rounds * pes);
  shmem_free(blocks);
  shmemx_ct_free(&ct);
  return wrong;
}
