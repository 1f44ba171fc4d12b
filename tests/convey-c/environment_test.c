/* The environment variables of the published interface. */
#define _POSIX_C_SOURCE 200809L
#include <boxcar_world.h>
#include <convey.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "traffic.h"

/* The group of a two-hop conveyor shows in the number of buffers with which a PE closes its
 * links: one to each PE of its row, and one to each of its column. */
static int64_t links_of(convey_t* c) {
  CHECK(c != NULL);
  if (c == NULL) return -1;
  uint64_t item;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  while (convey_advance(c, true) > 0) CHECK_EQUAL(convey_pull(c, &item, NULL), convey_FAIL);
  const int64_t links = convey_statistic(c, convey_COMMS);
  CHECK_EQUAL(convey_free(c), convey_OK);
  return links;
}

static void groups(void) {
  const int pes = boxcar_n_pes();
  const int local = boxcar_n_local();
  unsetenv("CONVEY_NLOCAL");
  CHECK_EQUAL(links_of(convey_new_tensor(500, 2, 0, 2, NULL, 0)), local + pes / local);
  for (int group = 1; group <= pes; group++) {
    char text[20];
    snprintf(text, sizeof text, "%d", group);
    setenv("CONVEY_NLOCAL", text, 1);
    if (pes % group == 0) {
      CHECK_EQUAL(links_of(convey_new_tensor(500, 2, 0, 2, NULL, 0)), group + pes / group);
      CHECK_EQUAL(links_of(convey_new_tensor(500, 2, 1, 2, NULL, 0)), 1 + pes);
    } else {
      CHECK(convey_new_tensor(500, 2, 0, 2, NULL, convey_opt_QUIET) == NULL);
      CHECK_EQUAL(links_of(convey_new_tensor(500, 1, 0, 2, NULL, 0)), pes);
    }
  }
  setenv("CONVEY_NLOCAL", "two", 1);
  capture_messages();
  CHECK(convey_new_tensor(500, 2, 0, 2, NULL, 0) == NULL);
  const int told = boxcar_my_pe() == 0 ? 1 : 0;
  CHECK_EQUAL(occurrences(captured_messages(), "CONVEY_NLOCAL=two is not a number"), told);
  unsetenv("CONVEY_NLOCAL");
}

/* The number of buffers for 1000 items of 8 bytes from the PE to itself. */
static int64_t buffers_of(convey_t* c) {
  CHECK(c != NULL);
  if (c == NULL) return -1;
  uint64_t item = 0;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  int i = 0;
  while (convey_advance(c, i == 1000) > 0) {
    while (i < 1000 && convey_push(c, &item, boxcar_my_pe()) == convey_OK) i++;
    while (convey_pull(c, &item, NULL) == convey_OK) continue;
  }
  const int64_t buffers = convey_statistic(c, convey_COMMS);
  CHECK_EQUAL(convey_free(c), convey_OK);
  return buffers;
}

static void buffer_sizes(void) {
  const int64_t others = boxcar_n_pes() - 1;
  setenv("CONVEY_BUFFER_SIZE", "800", 1);
  CHECK_EQUAL(buffers_of(convey_new(SIZE_MAX, 0, NULL, 0)), 10 + others);
  /* The variable affects the generic constructors only. */
  CHECK_EQUAL(buffers_of(convey_new_tensor(8000, 1, 0, 2, NULL, 0)), 1 + others);
  /* The bound on memory counts more. */
  CHECK(buffers_of(convey_new(0, 0, NULL, 0)) > 50);
  setenv("CONVEY_BUFFER_SIZE", "1", 1);
  convey_t* c = convey_new_elastic(100, SIZE_MAX, 0, NULL, 0);
  exchange_items(c, 64, 100);
  CHECK_EQUAL(convey_free(c), convey_OK);
  setenv("CONVEY_BUFFER_SIZE", "large", 1);
  CHECK(convey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET) == NULL);
  unsetenv("CONVEY_BUFFER_SIZE");
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  groups();
  buffer_sizes();
  return verdict();
}
