/* A program in C that starts and ends OpenSHMEM itself and uses conveyors for what puts of single
 * words are bad at: every PE draws random numbers, and each of them goes to the PE that counts it.
 * The conveyors find the PEs by themselves; nothing here names Boxcar but the header.
 *
 *   oshcc -std=c11 own_start.c $(pkg-config --cflags --libs boxcar-convey)
 */
#include <convey.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { numbers = 100000, kinds_per_pe = 1000 };

/* Symmetric: the totals of drawn and counted numbers, kept by PE 0. */
static long drawn_by_all, counted_by_all, sum_of_all;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();

  convey_t* c = convey_new(SIZE_MAX, 0, NULL, 0);
  if (c == NULL) shmem_global_exit(EXIT_FAILURE); /* the reason has been printed */
  srand((unsigned)me + 1);
  long drawn = 0, counted = 0, sum = 0, kind = 0;
  int i = 0, number = rand() % (kinds_per_pe * pes);
  convey_begin(c, sizeof kind, 0);
  while (convey_advance(c, i == numbers) > 0) {
    for (; i < numbers; i++) {
      kind = number / pes;
      if (convey_push(c, &kind, number % pes) <= 0) break;
      drawn += number;
      number = rand() % (kinds_per_pe * pes);
    }
    while (convey_pull(c, &kind, NULL) > 0) {
      sum += kind * pes + me;
      counted++;
    }
  }
  convey_reset(c);
  convey_free(c);

  shmem_long_atomic_add(&drawn_by_all, drawn, 0);
  shmem_long_atomic_add(&sum_of_all, sum, 0);
  shmem_long_atomic_add(&counted_by_all, counted, 0);
  shmem_barrier_all();
  int fine = 1;
  if (me == 0) {
    fine = counted_by_all == (long)numbers * pes && sum_of_all == drawn_by_all;
    printf("%ld numbers counted, %s\n", counted_by_all,
           fine ? "as many as were drawn" : "which is wrong");
  }
  shmem_finalize();
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
