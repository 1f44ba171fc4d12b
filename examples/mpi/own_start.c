/* A program in C that starts and ends MPI itself and uses conveyors for what MPI is bad at: every
 * process draws random numbers, and each of them goes to the process that counts it. The conveyors
 * find the processes by themselves; nothing here names Boxcar but the header.
 *
 *   mpicc -std=c11 own_start.c $(pkg-config --cflags --libs boxcar-convey)
 */
#include <convey.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { numbers = 100000, kinds_per_process = 1000 };

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  convey_t* c = convey_new(SIZE_MAX, 0, NULL, 0);
  if (c == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* the reason has been printed */
  srand((unsigned)rank + 1);
  int64_t sums[2] = {0, 0}; /* of the drawn numbers, and of the counted numbers */
  int64_t counted = 0, kind = 0;
  int i = 0, number = rand() % (kinds_per_process * size);
  convey_begin(c, sizeof kind, 0);
  while (convey_advance(c, i == numbers) > 0) {
    for (; i < numbers; i++) {
      kind = number / size;
      if (convey_push(c, &kind, number % size) <= 0) break;
      sums[0] += number;
      number = rand() % (kinds_per_process * size);
    }
    while (convey_pull(c, &kind, NULL) > 0) {
      sums[1] += kind * size + rank;
      counted++;
    }
  }
  convey_reset(c);
  convey_free(c);

  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &counted, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  const int fine = counted == (int64_t)numbers * size && sums[0] == sums[1];
  if (rank == 0) {
    printf("%lld numbers counted, %s\n", (long long)counted,
           fine ? "as many as were drawn" : "which is wrong");
  }
  MPI_Finalize();
  return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
