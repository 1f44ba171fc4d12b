/* Histogram: every PE counts, in a table distributed over all PEs, how often each of its indices
 * occurs (conveyors-2019, figure 3).
 *
 *   histogram_c [updates per PE [slots of the table]] */
#include <boxcar_world.h>
#include <convey.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static long PROCS;

/* The figure. */
static void histogram(convey_t* c, const long* index, long n, long* tally) {
  convey_begin(c, sizeof(long), 0);
  long spot, i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      spot = index[i] / PROCS;
      if (!convey_push(c, &spot, index[i] % PROCS)) break;
    }
    while (convey_pull(c, &spot, NULL)) tally[spot]++;
  }
  convey_reset(c);
}

int main(int argc, char* argv[]) {
  const long n = number_argument(argc, argv, 1, 1000000);
  const long slots = number_argument(argc, argv, 2, 4096);
  const int me = boxcar_my_pe();
  if (me < 0) return EXIT_FAILURE;
  PROCS = boxcar_n_pes();

  /* Slot s of the table is tally[s / PROCS] of PE s % PROCS. */
  long* index = grab((unsigned long)n * sizeof(long));
  long* tally = grab((unsigned long)(slots / PROCS + 1) * sizeof(long));
  struct philox_stream random = random_numbers_of(me);
  for (long i = 0; i < n; i++) index[i] = (long)(philox_next(&random) % (uint64_t)slots);

  convey_t* c = convey_new(SIZE_MAX, 0, NULL, 0);
  if (c == NULL) return EXIT_FAILURE;
  histogram(c, index, n, tally);
  convey_free(c);

  /* Every update has been counted, and every slot as often as the PEs' indices say. */
  int64_t counted = 0, weighted = 0, expected = 0;
  for (long spot = 0; spot * PROCS + me < slots; spot++) {
    counted += tally[spot];
    weighted += tally[spot] * (spot * PROCS + me);
  }
  for (long i = 0; i < n; i++) expected += index[i];
  int64_t all = n;
  if (boxcar_sum(&counted) < 0 || boxcar_sum(&weighted) < 0 || boxcar_sum(&expected) < 0 ||
      boxcar_sum(&all) < 0) {
    return EXIT_FAILURE;
  }
  const int fine = counted == all && weighted == expected;
  if (me == 0) {
    printf("%s: %" PRId64 " updates of %ld slots on %ld PEs\n", fine ? "right" : "WRONG", counted,
           slots, PROCS);
  }
  free(tally);
  free(index);
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
