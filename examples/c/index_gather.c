/* Index-gather: every PE looks up values in a table distributed over all PEs (conveyors-2019,
 * figure 4).
 *
 *   index_gather_c [look-ups per PE [slots of the table]] */
#include <boxcar_world.h>
#include <convey.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static long PROCS;

/* The figure. */
static void index_gather(convey_t* q, convey_t* r, const long* index, long n, const long* array,
                         long* gather) {
  struct packet {
    long slot;
    long value;
  } packet;
  convey_begin(q, sizeof packet, 0);
  convey_begin(r, sizeof packet, 0);
  int64_t i = 0, from;
  while (convey_advance(r, !convey_advance(q, i == n))) {
    for (; i < n; i++) {
      packet.slot = i;
      packet.value = index[i] / PROCS;
      if (!convey_push(q, &packet, index[i] % PROCS)) break;
    }
    while (convey_pull(q, &packet, &from)) {
      packet.value = array[packet.value];
      if (!convey_push(r, &packet, from)) {
        convey_unpull(q);
        break;
      }
    }
    while (convey_pull(r, &packet, NULL)) gather[packet.slot] = packet.value;
  }
  convey_reset(r);
  convey_reset(q);
}

/* Returns the value of slot s of the table. */
static long value_of(long s) {
  return 7 * s + 1;
}

int main(int argc, char* argv[]) {
  const long n = number_argument(argc, argv, 1, 500000);
  const long slots = number_argument(argc, argv, 2, 65536);
  const int me = boxcar_my_pe();
  if (me < 0) return EXIT_FAILURE;
  PROCS = boxcar_n_pes();

  /* Slot s of the table is array[s / PROCS] of PE s % PROCS. */
  long* array = grab((unsigned long)(slots / PROCS + 1) * sizeof(long));
  for (long spot = 0; spot * PROCS + me < slots; spot++) array[spot] = value_of(spot * PROCS + me);
  long* index = grab((unsigned long)n * sizeof(long));
  long* gather = grab((unsigned long)n * sizeof(long));
  struct philox_stream random = random_numbers_of(me);
  for (long i = 0; i < n; i++) index[i] = (long)(philox_next(&random) % (uint64_t)slots);

  convey_t* q = convey_new(SIZE_MAX, 0, NULL, 0);
  convey_t* r = convey_new(SIZE_MAX, 0, NULL, 0);
  if (q == NULL || r == NULL) return EXIT_FAILURE;
  index_gather(q, r, index, n, array, gather);
  convey_free(r);
  convey_free(q);

  int64_t wrong = 0, all = n;
  for (long i = 0; i < n; i++) wrong += gather[i] != value_of(index[i]);
  if (boxcar_sum(&wrong) < 0 || boxcar_sum(&all) < 0) return EXIT_FAILURE;
  if (me == 0) {
    printf("%s: %" PRId64 " values from %ld slots on %ld PEs\n", wrong == 0 ? "right" : "WRONG",
           all, slots, PROCS);
  }
  free(gather);
  free(index);
  free(array);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
