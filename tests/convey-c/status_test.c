/* Tests of the return values of every function in every state, and for every kind of misuse; of
 * the absence of effects; and of the printed messages. */
#include <boxcar_world.h>
#include <convey.h>
#include <string.h>

#include "check.h"
#include "traffic.h"

/* --- Every operation in every state -----------------------------------------------------------*/

enum state { DORMANT, WORKING, ENDGAME, CLEANUP, COMPLETE };

/* Tries all operations that are illegal in a state: each is refused without effect. */
static void try_illegal(convey_t* c, enum state state) {
  uint64_t item = 0;
  int64_t from = -7;
  const int illegal = convey_error_STATE;
  if (state != WORKING) {
    CHECK_EQUAL(convey_push(c, &item, 0), illegal);
    CHECK_EQUAL(convey_push(c, &item, -1), illegal);
    CHECK_EQUAL(convey_push(c, &item, INT64_C(1) << 40), illegal);
    if ((convey_features(c) & convey_ELASTIC) != 0) {
      CHECK_EQUAL(convey_epush(c, 8, &item, 0), illegal);
    }
  }
  if (state != DORMANT) CHECK_EQUAL(convey_begin(c, 8, 0), illegal);
  if (state != DORMANT) CHECK_EQUAL(convey_set_codec(c, NULL, NULL), illegal);
  if (state == DORMANT) {
    convey_item_t result = {0, NULL, 0};
    CHECK_EQUAL(convey_pull(c, &item, &from), illegal);
    CHECK(convey_apull(c, &from) == NULL);
    if ((convey_features(c) & convey_ELASTIC) != 0) {
      /* As in the published implementation, nothing is there. */
      result.data = &item;
      CHECK_EQUAL(convey_epull(c, &result), convey_FAIL);
      CHECK(result.data == NULL);
    }
    CHECK_EQUAL(convey_unpull(c), illegal);
    CHECK_EQUAL(convey_advance(c, true), illegal);
    CHECK_EQUAL(convey_advance(c, false), illegal);
    CHECK_EQUAL(from, -7);
  }
  if (state == WORKING || state == ENDGAME || state == CLEANUP) {
    CHECK_EQUAL(convey_reset(c), illegal);
    CHECK_EQUAL(convey_free(c), illegal);
  }
}

/* A session from begin to end; every PE sends `items` items to the next PE. After a PE has
 * announced that it is done, the argument of further calls of advance makes no difference. */
static void walk_through_states(convey_t* c) {
  CHECK(c != NULL);
  if (c == NULL) return;
  const int64_t pes = boxcar_n_pes();
  const int64_t me = boxcar_my_pe();
  const long items = 40;
  for (int session = 0; session < 2; session++) {
    try_illegal(c, DORMANT);
    CHECK_EQUAL(convey_reset(c), convey_OK); /* does nothing */
    CHECK_EQUAL(convey_begin(c, 8, 8), convey_OK);
    try_illegal(c, WORKING);
    uint64_t item, next = 0;
    int64_t from;
    long pushed = 0;
    long after_the_end = 0;
    enum state state = WORKING;
    while (state != COMPLETE) {
      const bool done = state == WORKING ? pushed == items : after_the_end++ % 3 == 2;
      const int status = convey_advance(c, done);
      CHECK(status >= 0);
      if (pushed == items) state = status == convey_OK ? ENDGAME : CLEANUP;
      if (status == convey_DONE) state = COMPLETE;
      try_illegal(c, state);
      for (; pushed < items; pushed++) {
        item = (uint64_t)pushed;
        if (convey_push(c, &item, (me + 1) % pes) != convey_OK) break;
      }
      if (convey_pull(c, &item, &from) == convey_OK) {
        CHECK_EQUAL(item, next);
        CHECK_EQUAL(from, (me + pes - 1) % pes);
        next++;
      }
    }
    CHECK_EQUAL(next, items);
    CHECK_EQUAL(convey_advance(c, false), convey_DONE);
    CHECK_EQUAL(convey_advance(c, true), convey_DONE);
    CHECK_EQUAL(convey_pull(c, &item, &from), convey_FAIL);
    CHECK(convey_apull(c, NULL) == NULL);
    CHECK_EQUAL(convey_unpull(c), convey_FAIL);
    try_illegal(c, COMPLETE);
    if (session == 0) CHECK_EQUAL(convey_reset(c), convey_OK);
  }
  CHECK_EQUAL(convey_free(c), convey_OK); /* legal while complete */
}

/* --- Misuse -----------------------------------------------------------------------------------*/

static void null_conveyor(void) {
  uint64_t item = 0;
  convey_item_t result;
  capture_messages();
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(convey_begin(NULL, 8, 0), convey_error_NULL);
    CHECK_EQUAL(convey_push(NULL, &item, 0), convey_error_NULL);
    CHECK_EQUAL(convey_epush(NULL, 8, &item, 0), convey_error_NULL);
    CHECK_EQUAL(convey_pull(NULL, &item, NULL), convey_error_NULL);
    CHECK(convey_apull(NULL, NULL) == NULL);
    CHECK_EQUAL(convey_epull(NULL, &result), convey_error_NULL);
    CHECK_EQUAL(convey_unpull(NULL), convey_error_NULL);
    CHECK_EQUAL(convey_advance(NULL, true), convey_error_NULL);
    CHECK_EQUAL(convey_reset(NULL), convey_error_NULL);
    CHECK_EQUAL(convey_set_codec(NULL, NULL, NULL), convey_error_NULL);
  }
  const char* printed = captured_messages();
  CHECK_EQUAL(occurrences(printed, "convey_push: the conveyor is NULL"), 1);
  CHECK_EQUAL(occurrences(printed, "\n"), 10);
  CHECK_EQUAL(convey_free(NULL), convey_OK);
  CHECK_EQUAL(convey_item_size(NULL), 0);
  CHECK_EQUAL(convey_features(NULL), 0);
  CHECK_EQUAL(convey_statistic(NULL, convey_PUSHES), -1);
}

static void finish(convey_t* c) {
  unsigned char item[4096];
  while (convey_advance(c, true) > 0) {
    while (convey_pull(c, item, NULL) > 0) continue;
  }
  CHECK_EQUAL(convey_reset(c), convey_OK);
}

/* Pushes and pulls without a buffer for the item: nothing is copied, and the session goes on. */
static void null_items(convey_t* c, size_t bytes) {
  unsigned char item[64] = {1};
  int64_t from = -7;
  const int64_t me = boxcar_my_pe();
  const bool elastic = (convey_features(c) & convey_ELASTIC) != 0;
  CHECK_EQUAL(convey_begin(c, bytes, 0), convey_OK);
  CHECK_EQUAL(convey_push(c, NULL, me), convey_error_NULL); /* no buffer is open yet, */
  CHECK_EQUAL(convey_push(c, item, me), convey_OK);
  CHECK_EQUAL(convey_push(c, NULL, me), convey_error_NULL); /* and here an item is there */
  CHECK_EQUAL(convey_push(c, item, me), convey_OK);
  if (elastic) CHECK_EQUAL(convey_epush(c, bytes, NULL, me), convey_error_NULL);
  CHECK_EQUAL(convey_pull(c, NULL, &from), convey_error_NULL);
  int pulled = 0;
  while (convey_advance(c, true) > 0) {
    CHECK_EQUAL(convey_pull(c, NULL, &from), convey_error_NULL);
    CHECK_EQUAL(from, -7);
    if (convey_pull(c, item, NULL) == convey_OK) pulled++;
    CHECK_EQUAL(convey_pull(c, NULL, &from), convey_error_NULL);
  }
  CHECK_EQUAL(pulled, 2);
  CHECK_EQUAL(convey_reset(c), convey_OK);
}

static void destinations_out_of_range(convey_t* c) {
  uint64_t item = 5;
  const int64_t pes = boxcar_n_pes();
  const int64_t none[] = {
      -1, pes, pes + 1, INT64_C(1) << 32, INT64_MAX, INT64_MIN, -(INT64_C(1) << 32)};
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    CHECK_EQUAL(convey_push(c, &item, none[i]), convey_error_RANGE);
  }
  CHECK_EQUAL(convey_statistic(c, convey_PUSHES), 0);
  finish(c);
  CHECK_EQUAL(convey_statistic(c, convey_PULLS), 0);
}

/* A failed begin leaves the conveyor dormant, whatever its earlier use: its buffers have 1000
 * bytes. */
static void sizes_that_cannot_be(convey_t* c) {
  uint64_t item = 0;
  const size_t bad[] = {0, 1001, 100000, SIZE_MAX, SIZE_MAX - 1};
  CHECK(c != NULL);
  if (c == NULL) return;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_EQUAL(convey_begin(c, bad[i], 0), convey_error_SIZE);
    CHECK_EQUAL(convey_push(c, &item, 0), convey_error_STATE);
    CHECK_EQUAL(convey_advance(c, true), convey_error_STATE);
    CHECK_EQUAL(convey_pull(c, &item, NULL), convey_error_STATE);
    CHECK_EQUAL(convey_item_size(c), 0);
    CHECK_EQUAL(convey_reset(c), convey_OK);
    if (i % 2 == 0) exchange_items(c, 8, 10);
  }
  /* Different on different PEs. */
  if (boxcar_n_pes() > 1) {
    CHECK_EQUAL(convey_begin(c, boxcar_my_pe() == 0 ? 8 : 16, 0), convey_error_SIZE);
    CHECK_EQUAL(convey_begin(c, boxcar_my_pe() == 0 ? 0 : 16, 0), convey_error_SIZE);
    CHECK_EQUAL(convey_begin(c, boxcar_my_pe() == 0 ? SIZE_MAX : 8, 0), convey_error_SIZE);
  }
  CHECK_EQUAL(convey_begin(c, 1000, 0), convey_OK);
  CHECK_EQUAL(convey_item_size(c), 1000);
  finish(c);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

static void not_elastic(void) {
  convey_t* c = convey_new_simple(100, NULL, NULL, convey_opt_QUIET);
  convey_item_t result;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(convey_epush(c, 8, &result, 0), convey_error_RIGID);
  CHECK_EQUAL(convey_epull(c, &result), convey_error_RIGID);
  CHECK_EQUAL(convey_epull(c, NULL), convey_error_NULL);
  finish(c);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

static void freed_in_the_middle(void) {
  convey_t* c = convey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET);
  uint64_t item = 42;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(convey_push(c, &item, boxcar_my_pe()), convey_OK);
  CHECK_EQUAL(convey_free(c), convey_error_STATE);
  item = 0;
  while (convey_advance(c, true) > 0) {
    if (convey_pull(c, &item, NULL) > 0) CHECK_EQUAL(convey_free(c), convey_error_STATE);
  }
  CHECK_EQUAL(item, 42);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

/* --- Constructors -----------------------------------------------------------------------------*/

static void* grab_nothing(void* alc8r, size_t size, const char* tag, uint64_t value) {
  (void)alc8r;
  (void)size;
  (void)tag;
  (void)value;
  return NULL;
}

static void refused_constructors(void) {
  const size_t pes = (size_t)boxcar_n_pes();
  const uint64_t quiet = convey_opt_QUIET;
  CHECK(convey_new_tensor(1000, 0, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(1000, 4, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(1000, -1, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(0, 1, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(SIZE_MAX, 1, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(1000, 1, 0, 0, NULL, quiet) == NULL);
  CHECK(convey_new_tensor(1000, 1, 0, 3, NULL, quiet) == NULL);
  for (int order = 2; order <= 3; order++) {
    CHECK(convey_new_tensor(1000, order, pes + 1, 2, NULL, quiet) == NULL);
    CHECK(convey_new_tensor(1000, order, SIZE_MAX, 2, NULL, quiet) == NULL);
    CHECK(convey_new_etensor(1000, 10, order, pes + 1, 2, NULL, quiet) == NULL);
  }
  CHECK(convey_new_twohop(1000, pes + 1, NULL, quiet) == NULL);
  CHECK(convey_new_twohop(0, 1, NULL, quiet) == NULL);
  CHECK(convey_new_simple(0, NULL, NULL, quiet) == NULL);
  CHECK(convey_new_etensor(0, 10, 1, 0, 2, NULL, quiet) == NULL);
  CHECK(convey_new(SIZE_MAX, pes + 1, NULL, quiet) == NULL);
  CHECK(convey_new_elastic(100, SIZE_MAX, pes + 1, NULL, quiet) == NULL);
  for (int bit = 0; bit < 64; bit++) {
    const uint64_t option = UINT64_C(1) << bit;
    const uint64_t known = 0x7f | 0x300000;
    convey_t* c = convey_new_tensor(100, 1, 0, 2, NULL, option | quiet);
    CHECK((c != NULL) == ((option & known) != 0));
    CHECK_EQUAL(convey_free(c), convey_OK);
  }
  const convey_alc8r_t lacking = {NULL, grab_nothing, NULL};
  CHECK(convey_new(SIZE_MAX, 0, &lacking, quiet) == NULL);
  /* The PEs do not agree: none may wait for another. */
  if (pes > 1) {
    const bool first = boxcar_my_pe() == 0;
    CHECK(convey_new_tensor(first ? 0 : 1000, 1, 0, 2, NULL, quiet) == NULL);
    CHECK(convey_new_tensor(first ? 500 : 1000, 1, 0, 2, NULL, quiet) == NULL);
    CHECK(convey_new_tensor(1000, first ? 7 : 1, 0, 2, NULL, quiet) == NULL);
    CHECK(convey_new_simple(1000, NULL, NULL, first ? quiet : quiet | convey_opt_PROGRESS) == NULL);
    CHECK((first ? convey_new_simple(1000, NULL, NULL, quiet)
                 : convey_new_tensor(1000, 1, 0, 2, NULL, quiet)) == NULL);
  }
}

static void more_than_a_hundred(void) {
  enum { ALIVE = 250 };
  static convey_t* all[ALIVE];
  for (int i = 0; i < ALIVE; i++) {
    all[i] = i % 2 == 0 ? convey_new_tensor(256, 1 + i % 3, 1, 1, NULL, 0)
                        : convey_new_elastic(100, 4096, 0, NULL, 0);
    CHECK(all[i] != NULL);
    CHECK_EQUAL(convey_begin(all[i], 8, 0), convey_OK);
  }
  uint64_t item;
  for (int i = 0; i < ALIVE; i++) {
    item = (uint64_t)i;
    CHECK_EQUAL(convey_push(all[i], &item, boxcar_my_pe()), convey_OK);
  }
  for (int i = 0; i < ALIVE; i++) {
    int found = 0;
    while (convey_advance(all[i], true) > 0) {
      while (convey_pull(all[i], &item, NULL) > 0) {
        CHECK_EQUAL(item, i);
        found++;
      }
    }
    CHECK_EQUAL(found, 1);
  }
  for (int i = 0; i < ALIVE; i++) CHECK_EQUAL(convey_free(all[i]), convey_OK);
}

/* --- Messages ---------------------------------------------------------------------------------*/

static void messages(void) {
  const bool first = boxcar_my_pe() == 0;
  uint64_t item = 0;
  capture_messages();
  convey_t* c = convey_new_tensor(1000, 1, 0, 2, NULL, 0);
  for (int i = 0; i < 100; i++) convey_push(c, &item, 0);
  for (int i = 0; i < 100; i++) convey_advance(c, true);
  convey_begin(c, 5000, 0);
  convey_begin(c, 8, 0);
  convey_push(c, &item, 12345);
  convey_push(c, &item, -3);
  convey_free(c);
  const char* printed = captured_messages();
  CHECK_EQUAL(occurrences(printed, "convey_push: push is illegal while the conveyor is dormant"),
              1);
  CHECK_EQUAL(occurrences(printed, "convey_advance: advance(true) is illegal"), 1);
  CHECK_EQUAL(occurrences(printed, "convey_push: push to PE 12345: the world has"), 1);
  CHECK_EQUAL(occurrences(printed, "push to PE -3"), 0);
  CHECK_EQUAL(occurrences(printed, "convey_free: free is illegal while the conveyor is working"),
              1);
  /* The first PE prints an error that all PEs share. */
  CHECK_EQUAL(occurrences(printed, "convey_begin: an item of 5000 bytes does not fit"),
              first ? 1 : 0);
  CHECK_EQUAL(occurrences(printed, "\n"), first ? 5 : 4);
  finish(c);
  CHECK_EQUAL(convey_free(c), convey_OK);

  capture_messages();
  CHECK(convey_new_tensor(1000, 2, (size_t)boxcar_n_pes() + 1, 2, NULL, 0) == NULL);
  printed = captured_messages();
  CHECK_EQUAL(occurrences(printed, "convey_new_tensor: "), first ? 1 : 0);
  CHECK_EQUAL(occurrences(printed, "does not divide"), first ? 1 : 0);
  CHECK_EQUAL(occurrences(printed, "give one of 1"), first ? 1 : 0); /* or more, if there are */
  CHECK_EQUAL(occurrences(printed, "\n"), first ? 1 : 0);

  capture_messages();
  c = convey_new_tensor(1000, 1, 0, 2, NULL, convey_opt_QUIET);
  convey_push(c, &item, 0);
  convey_begin(c, 0, 0);
  convey_set_codec(c, &convey_standard_codec, NULL);
  convey_epull(c, NULL);
  convey_pull(c, NULL, NULL);
  convey_free(c);
  convey_new_tensor(1000, 9, 0, 2, NULL, convey_opt_QUIET);
  CHECK_EQUAL(strlen(captured_messages()), 0);
}

/* A group that spans nodes costs performance; an alert is printed on request. */
static void alerts(void) {
  const bool spans = boxcar_n_local() < boxcar_n_pes();
  const bool first = boxcar_my_pe() == 0;
  const size_t all = (size_t)boxcar_n_pes();
  capture_messages();
  convey_t* loud = convey_new_tensor(1000, 2, all, 2, NULL, convey_opt_ALERT);
  convey_t* plain = convey_new_tensor(1000, 2, all, 2, NULL, 0);
  convey_t* quiet = convey_new_tensor(1000, 2, all, 2, NULL, convey_opt_ALERT | convey_opt_QUIET);
  const char* printed = captured_messages();
  CHECK_EQUAL(occurrences(printed, "alert: "), spans && first ? 1 : 0);
  CHECK_EQUAL(convey_free(quiet), convey_OK);
  CHECK_EQUAL(convey_free(plain), convey_OK);
  CHECK_EQUAL(convey_free(loud), convey_OK);
}

static void error_strings(void) {
  convey_t* c = convey_new(SIZE_MAX, 0, NULL, 0);
  const char* unknown = convey_error_string(c, -1000);
  for (int error = convey_error_FAILURE; error <= convey_NEAR; error++) {
    const char* text = convey_error_string(c, error);
    CHECK(text != NULL && strlen(text) > 5);
    CHECK(strcmp(text, unknown) != 0);
    CHECK(convey_error_string(NULL, error) == text);
  }
  CHECK(strcmp(convey_error_string(c, 3), unknown) == 0);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  error_strings();
  null_conveyor();
  for (uint64_t dynamic = 0; dynamic <= convey_opt_DYNAMIC; dynamic += convey_opt_DYNAMIC) {
    const uint64_t options = convey_opt_QUIET | dynamic;
    walk_through_states(convey_new(SIZE_MAX, 0, NULL, options));
    walk_through_states(convey_new_simple(100, NULL, NULL, options));
    walk_through_states(convey_new_twohop(100, 1, NULL, options));
    walk_through_states(convey_new_tensor(100, 2, 1, 2, NULL, options));
    walk_through_states(convey_new_tensor(100, 3, 0, 1, NULL, options));
    walk_through_states(convey_new_elastic(100, SIZE_MAX, 0, NULL, options));
    walk_through_states(convey_new_etensor(64, 100, 3, 1, 2, NULL, options));
  }
  for (int order = 1; order <= 3; order++) {
    convey_t* c = convey_new_tensor(100, order, 0, 2, NULL, convey_opt_QUIET);
    destinations_out_of_range(c);
    for (size_t bytes = 8; bytes <= 24; bytes += 8) null_items(c, bytes);
    null_items(c, 13);
    CHECK_EQUAL(convey_free(c), convey_OK);
    c = convey_new_etensor(100, 20, order, 0, 2, NULL, convey_opt_QUIET);
    destinations_out_of_range(c);
    null_items(c, 8);
    null_items(c, 13);
    CHECK_EQUAL(convey_free(c), convey_OK);
  }
  const uint64_t ways[] = {0, convey_opt_DYNAMIC, convey_opt_COMPRESS};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    const uint64_t options = convey_opt_QUIET | ways[i];
    sizes_that_cannot_be(convey_new_simple(1000, NULL, NULL, options));
    sizes_that_cannot_be(convey_new_twohop(1000, 1, NULL, options));
    for (int order = 1; order <= 3; order++) {
      sizes_that_cannot_be(convey_new_tensor(1000, order, 0, 2, NULL, options));
      sizes_that_cannot_be(convey_new_etensor(1000, 1000, order, 0, 2, NULL, options));
    }
  }
  not_elastic();
  freed_in_the_middle();
  refused_constructors();
  more_than_a_hundred();
  messages();
  alerts();
  return verdict();
}
