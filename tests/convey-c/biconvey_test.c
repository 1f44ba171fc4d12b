/* Queries with replies. */
#include <biconvey.h>
#include <boxcar_world.h>
#include <string.h>

#include "check.h"

/* --- Replies come in the order of the queries -------------------------------------------------*/

struct service {
  size_t query_bytes, reply_bytes;
  int64_t answered;
};

/* The reply repeats the query with every byte changed. */
static void answer(const void* query, void* reply, void* context) {
  struct service* s = context;
  const unsigned char* q = query;
  unsigned char* r = reply;
  for (size_t i = 0; i < s->reply_bytes; i++) {
    r[i] = (unsigned char)(q[i % s->query_bytes] + 3 * i + (size_t)boxcar_my_pe());
  }
  s->answered++;
}

static void fill_query(unsigned char* q, size_t bytes, uint64_t number) {
  for (size_t i = 0; i < bytes; i++) q[i] = (unsigned char)(number * 37 + number / 256 + i);
}

static void check_reply(const unsigned char* r, const struct service* s, uint64_t number,
                        int64_t asked) {
  unsigned char q[300];
  fill_query(q, s->query_bytes, number);
  bool right = true;
  for (size_t i = 0; i < s->reply_bytes; i++) {
    right &= r[i] == (unsigned char)(q[i % s->query_bytes] + 3 * i + (size_t)asked);
  }
  CHECK(right);
}

static void ask(biconvey_t* b, size_t query_bytes, size_t reply_bytes, uint64_t queries) {
  enum { MOST = 4000 };
  static int64_t asked[MOST];
  struct service s = {query_bytes, reply_bytes, 0};
  unsigned char q[300], r[300];
  const uint64_t pes = (uint64_t)boxcar_n_pes();
  CHECK(queries <= MOST);
  CHECK_EQUAL(biconvey_begin(b, query_bytes, reply_bytes, answer, &s), convey_OK);
  uint64_t pushed = 0, pulled = 0;
  int status;
  while ((status = biconvey_advance(b, pushed == queries)) > 0) {
    for (; pushed < queries; pushed++) {
      asked[pushed] = (int64_t)(random_number() % pes);
      fill_query(q, query_bytes, pushed);
      const int result = biconvey_push(b, q, asked[pushed]);
      CHECK(result >= 0);
      if (result != convey_OK) break;
    }
    for (; biconvey_pull(b, r) == convey_OK; pulled++) check_reply(r, &s, pulled, asked[pulled]);
  }
  CHECK_EQUAL(status, convey_DONE);
  CHECK_EQUAL(pulled, queries);
  CHECK_EQUAL(biconvey_pull(b, r), convey_FAIL);
  int64_t balance = s.answered - (int64_t)queries;
  boxcar_sum(&balance);
  CHECK_EQUAL(balance, 0);
  CHECK_EQUAL(biconvey_reset(b), convey_OK);
}

static void use(biconvey_t* b) {
  CHECK(b != NULL);
  if (b == NULL) return;
  ask(b, 8, 8, 2000);
  ask(b, 1, 3, 500);
  ask(b, 5, 17, 500); /* so replies and queries have odd alignments */
  ask(b, 200, 1, 100);
  ask(b, 7, 250, 100);
  ask(b, 16, 8, 0);
  CHECK_EQUAL(biconvey_free(b), convey_OK);
}

/* --- Steady: a reply comes back without an endgame, if only all PEs advance -------------------*/

static void ask_one_by_one(biconvey_t* b) {
  struct service s = {8, 8, 0};
  CHECK_EQUAL(biconvey_begin(b, 8, 8, answer, &s), convey_OK);
  unsigned char q[8], r[8];
  uint64_t number = 0;
  bool waiting = false;
  const int64_t to = (boxcar_my_pe() + 1) % boxcar_n_pes();
  while (biconvey_advance(b, number == 20) > 0) {
    if (!waiting && number < 20) {
      fill_query(q, 8, number);
      waiting = biconvey_push(b, q, to) == convey_OK;
    }
    if (biconvey_pull(b, r) == convey_OK) {
      check_reply(r, &s, number, to);
      number++;
      waiting = false;
    }
  }
  CHECK_EQUAL(number, 20);
  CHECK_EQUAL(biconvey_free(b), convey_OK);
}

/* --- Misuse -----------------------------------------------------------------------------------*/

static void misuse(void) {
  struct service s = {8, 8, 0};
  uint64_t word = 0;
  biconvey_t* b = biconvey_new_tensor(100, 1, 0, 2, NULL, convey_opt_QUIET);
  const int illegal = convey_error_STATE;
  for (int session = 0; session < 2; session++) {
    CHECK_EQUAL(biconvey_push(b, &word, 0), illegal);
    CHECK_EQUAL(biconvey_pull(b, &word), illegal);
    CHECK_EQUAL(biconvey_advance(b, true), illegal);
    CHECK_EQUAL(biconvey_reset(b), convey_OK);
    CHECK_EQUAL(biconvey_begin(b, 0, 8, answer, &s), convey_error_SIZE);
    CHECK_EQUAL(biconvey_begin(b, 8, 0, answer, &s), convey_error_SIZE);
    CHECK_EQUAL(biconvey_begin(b, 101, 8, answer, &s), convey_error_SIZE);
    CHECK_EQUAL(biconvey_begin(b, 8, 101, answer, &s), convey_error_SIZE);
    CHECK_EQUAL(biconvey_begin(b, 8, 8, NULL, &s), convey_error_NULL);
    if (boxcar_n_pes() > 1) {
      const bool first = boxcar_my_pe() == 0;
      CHECK_EQUAL(biconvey_begin(b, first ? 8 : 4, 8, answer, &s), convey_error_SIZE);
      CHECK_EQUAL(biconvey_begin(b, 8, first ? 8 : 4, answer, &s), convey_error_SIZE);
      CHECK_EQUAL(biconvey_begin(b, 8, 8, first ? NULL : answer, &s), convey_error_NULL);
    }
    CHECK_EQUAL(biconvey_begin(b, 8, 8, answer, &s), convey_OK);
    CHECK_EQUAL(biconvey_begin(b, 8, 8, answer, &s), illegal);
    CHECK_EQUAL(biconvey_reset(b), illegal);
    CHECK_EQUAL(biconvey_free(b), illegal);
    CHECK_EQUAL(biconvey_push(b, &word, -1), convey_error_RANGE);
    CHECK_EQUAL(biconvey_push(b, &word, boxcar_n_pes()), convey_error_RANGE);
    CHECK_EQUAL(biconvey_push(b, &word, INT64_C(1) << 35), convey_error_RANGE);
    CHECK_EQUAL(biconvey_push(b, NULL, 0), convey_error_NULL);
    CHECK_EQUAL(biconvey_pull(b, NULL), convey_error_NULL);
    CHECK_EQUAL(biconvey_pull(b, &word), convey_FAIL);
    int status;
    while ((status = biconvey_advance(b, true)) > 0) {
      CHECK_EQUAL(biconvey_push(b, &word, 0), illegal);
      status = biconvey_advance(b, false); /* counts as one with `true` */
      CHECK(status >= 0);
      if (status == convey_DONE) break;
      CHECK_EQUAL(biconvey_push(b, &word, 0), illegal);
    }
    CHECK_EQUAL(status, convey_DONE);
    CHECK_EQUAL(biconvey_push(b, &word, 0), illegal);
    CHECK_EQUAL(biconvey_pull(b, &word), convey_FAIL);
    CHECK_EQUAL(s.answered, 0);
    CHECK_EQUAL(biconvey_reset(b), convey_OK);
  }
  CHECK_EQUAL(biconvey_free(b), convey_OK);

  capture_messages();
  CHECK_EQUAL(biconvey_push(NULL, &word, 0), convey_error_NULL);
  CHECK_EQUAL(biconvey_pull(NULL, &word), convey_error_NULL);
  CHECK_EQUAL(biconvey_begin(NULL, 8, 8, answer, &s), convey_error_NULL);
  CHECK_EQUAL(biconvey_advance(NULL, true), convey_error_NULL);
  CHECK_EQUAL(biconvey_reset(NULL), convey_error_NULL);
  CHECK_EQUAL(biconvey_free(NULL), convey_OK);
  CHECK_EQUAL(occurrences(captured_messages(), "the biconveyor is NULL"), 5);
  CHECK(biconvey_new_tensor(0, 1, 0, 2, NULL, convey_opt_QUIET) == NULL);
  CHECK(biconvey_new_tensor(100, 4, 0, 2, NULL, convey_opt_QUIET) == NULL);
  CHECK(biconvey_new_simple(0, NULL, NULL, convey_opt_QUIET) == NULL);
  CHECK(biconvey_new(SIZE_MAX, 100000, NULL, convey_opt_QUIET) == NULL);
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  for (uint64_t options = 0; options <= convey_opt_DYNAMIC; options += convey_opt_DYNAMIC) {
    use(biconvey_new(SIZE_MAX, 0, NULL, options));
    use(biconvey_new(100000, 0, NULL, options | convey_opt_COMPRESS));
    use(biconvey_new_simple(300, NULL, NULL, options));
    for (int order = 1; order <= 3; order++) {
      use(biconvey_new_tensor(300, order, 1, 2, NULL, options));
      use(biconvey_new_tensor(1000, order, 0, 1, NULL, options));
    }
  }
  ask_one_by_one(biconvey_new_tensor(4096, 1, 0, 2, NULL, 0));
  ask_one_by_one(biconvey_new_tensor(4096, 3, 1, 2, NULL, 0));
  ask_one_by_one(biconvey_new_simple(4096, NULL, NULL, 0));
  misuse();
  return verdict();
}
