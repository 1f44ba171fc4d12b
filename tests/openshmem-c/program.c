/* A program as its users write it: the whole contract. */
#include <boxcar_shmemx.h>
#include <stdlib.h>

#include "contract.h"
#include "expect.h"

#ifndef BOXCAR_OPENSHMEM_SHMEM_H
/* Variables are symmetric, too. */
static long numbers[100];
static char text[64];

static int check_variables(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  shmemx_ct_t ct;
  shmemx_oct_t oct;
  shmemx_ct_create(&ct);
  shmemx_oct_create(&oct, text, sizeof text);
  long mine[100];
  for (int round = 1; round <= 50; round++) {
    for (int i = 0; i < 100; i++) mine[i] = round;
    shmemx_long_put_ct(ct, numbers, mine, 100, (me + 1) % pes);
    shmemx_ct_wait(ct, round);
    EXPECT_EQUAL(wrong, numbers[0], round);
    EXPECT_EQUAL(wrong, numbers[99], round);
    shmem_barrier_all();
  }
  for (int i = 0; i < 64; i++) shmemx_push(oct, "x", 1, (me + 1) % pes);
  shmemx_oct_wait(oct, sizeof text);
  for (int i = 0; i < 64; i++) EXPECT_EQUAL(wrong, text[i], 'x');
  shmemx_oct_destroy(&oct);
  shmemx_ct_free(&ct);
  return wrong;
}
#endif

int main(void) {
  shmem_init();
  int wrong = 0;
  wrong += check_puts_and_gets();
  wrong += check_atomics();
  wrong += check_order();
  wrong += check_memory();
  wrong += check_polling();
  wrong += check_counters();
  wrong += check_counted_data();
  wrong += check_append();
  wrong += check_append_rounds();
#ifndef BOXCAR_OPENSHMEM_SHMEM_H
  wrong += check_variables();
#endif
  shmem_finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
