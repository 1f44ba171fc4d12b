/* PEs that compute, and call no function of OpenSHMEM: puts, gets and atomic operations of PEs of
 * other nodes are done all the same. Argument: whether there is a progress thread, 1 or 0. */
#define _GNU_SOURCE
#include <dirent.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long released;
static long visits;

static int progress_threads(void) {
  DIR* const threads = opendir("/proc/self/task");
  if (threads == NULL) return -1;
  int found = 0;
  for (const struct dirent* entry; (entry = readdir(threads)) != NULL;) {
    char path[400], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE* const file = fopen(path, "r");
    if (file == NULL) continue;
    if (fgets(name, sizeof name, file) != NULL && strcmp(name, "boxcar progress\n") == 0) found++;
    fclose(file);
  }
  closedir(threads);
  return found;
}

/* Returns whether `released` became 1 within 20 seconds, during which this PE only reads its own
 * memory. */
static int compute_until_released(void) {
  const time_t end = time(NULL) + 20;
  while (released == 0) {
    if (time(NULL) > end) return 0;
  }
  return 1;
}

int main(int count, char** arguments) {
  const int expected = count > 1 ? atoi(arguments[1]) : 0;
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int found = progress_threads();
  if (found != expected) {
    fprintf(stderr, "PE %d: %d progress threads, not %d\n", me, found, expected);
    return EXIT_FAILURE;
  }
  /* Without the thread, no PE may wait for one that computes. */
  if (expected == 1) {
    shmem_barrier_all();
    if (me == 0) {
      if (!compute_until_released()) {
        fprintf(stderr, "PE 0: nobody has released it: %ld visits\n", visits);
        return EXIT_FAILURE;
      }
    } else {
      shmem_long_atomic_inc(&visits, 0);
      while (shmem_long_g(&visits, 0) < pes - 1) continue;
      const long yes = 1;
      if (me == pes - 1) shmem_long_put((long*)&released, &yes, 1, 0);
    }
  }
  shmem_finalize();
  return EXIT_SUCCESS;
}
