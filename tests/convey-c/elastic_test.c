/* Items of any size: none, small, and monsters, in order. */
#include <boxcar_world.h>
#include <convey.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Small sizes often, monsters seldom. `n` counts the items from a PE to another. */
static size_t size_of(uint64_t n, size_t bound) {
  if (n % 5 == 0) return 0;
  if (n % 17 == 3) return bound;
  if (n % 11 == 2) return bound / 2;
  return (size_t)(n * n * 13 % 97) % (bound + 1);
}

static unsigned char byte_of(uint64_t n, int64_t from, size_t i) {
  return (unsigned char)(n * 11 + (uint64_t)from * 5 + i * 3);
}

static void check_item(const convey_item_t* item, uint64_t n, size_t bound) {
  CHECK_EQUAL(item->bytes, size_of(n, bound));
  const unsigned char* data = item->data;
  bool right = true;
  for (size_t i = 0; i < item->bytes; i++) right &= data[i] == byte_of(n, item->from, i);
  CHECK(right);
}

static void exchange_elastic(convey_t* c, size_t bound, long items) {
  CHECK(c != NULL);
  if (c == NULL) return;
  const int64_t pes = boxcar_n_pes();
  const int64_t me = boxcar_my_pe();
  CHECK((convey_features(c) & convey_ELASTIC) != 0);
  uint64_t* sent = calloc((size_t)pes, sizeof *sent);
  uint64_t* received = calloc((size_t)pes, sizeof *received);
  unsigned char* data = malloc(bound + 1);
  CHECK_EQUAL(convey_begin(c, 8, 8), convey_OK);
  long pushed = 0;
  int64_t to = me;
  while (convey_advance(c, pushed == items) > 0) {
    for (; pushed < items; pushed++) {
      const size_t bytes = size_of(sent[to], bound);
      for (size_t i = 0; i < bytes; i++) data[i] = byte_of(sent[to], me, i);
      const int status = convey_epush(c, bytes, bytes == 0 ? NULL : data, to);
      CHECK(status >= 0);
      if (status != convey_OK) break;
      sent[to]++;
      to = (int64_t)(random_number() % (uint64_t)pes);
    }
    convey_item_t item;
    while (convey_epull(c, &item) == convey_OK) {
      CHECK((uintptr_t)item.data % 8 == 0);
      check_item(&item, received[item.from], bound);
      if (random_number() % 8 == 0) {
        CHECK_EQUAL(convey_unpull(c), convey_OK);
        CHECK_EQUAL(convey_unpull(c), convey_FAIL);
        CHECK_EQUAL(convey_epull(c, &item), convey_OK);
        check_item(&item, received[item.from], bound);
      }
      received[item.from]++;
    }
  }
  CHECK_EQUAL(convey_reset(c), convey_OK);
  int64_t balance = 0;
  for (int64_t pe = 0; pe < pes; pe++) balance += (int64_t)sent[pe] - (int64_t)received[pe];
  boxcar_sum(&balance);
  CHECK_EQUAL(balance, 0);
  CHECK_EQUAL(convey_statistic(c, convey_PUSHES), items);
  CHECK_EQUAL(convey_free(c), convey_OK);
  free(data);
  free(received);
  free(sent);
}

/* A plain pull takes items of the default size only, and leaves other items in place. */
static void plain_pulls(convey_t* c) {
  const int64_t me = boxcar_my_pe();
  uint64_t eight = 8, sixteen[2] = {1, 2}, got = 0;
  int64_t from = -1;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(convey_push(c, &eight, me), convey_OK);
  CHECK_EQUAL(convey_epush(c, 16, sixteen, me), convey_OK);
  CHECK_EQUAL(convey_epush(c, 0, NULL, me), convey_OK);
  CHECK_EQUAL(convey_epush(c, 8, &eight, me), convey_OK);
  int step = 0;
  while (convey_advance(c, true) > 0) {
    if (step == 0) {
      const int status = convey_pull(c, &got, &from);
      if (status == convey_FAIL) continue;
      CHECK_EQUAL(status, convey_OK);
      CHECK_EQUAL(got, 8);
      CHECK_EQUAL(from, me);
      step = 1;
    }
    convey_item_t item;
    got = 77;
    from = -1;
    while (step == 1) {
      int status = convey_pull(c, &got, &from);
      if (status == convey_FAIL) break;
      CHECK_EQUAL(status, convey_error_MISFIT);
      CHECK_EQUAL(got, 77);
      CHECK_EQUAL(from, -1);
      CHECK(convey_apull(c, &from) == NULL);
      CHECK_EQUAL(convey_epull(c, &item), convey_OK);
      CHECK_EQUAL(item.bytes, 16);
      CHECK(memcmp(item.data, sixteen, 16) == 0);
      step = 2;
    }
    while (step == 2) {
      int status = convey_pull(c, &got, NULL);
      if (status == convey_FAIL) break;
      CHECK_EQUAL(status, convey_error_MISFIT);
      CHECK_EQUAL(convey_epull(c, &item), convey_OK);
      CHECK_EQUAL(item.bytes, 0);
      CHECK_EQUAL(item.from, me);
      step = 3;
    }
    if (step == 3) {
      const uint64_t* there = convey_apull(c, &from);
      if (there == NULL) continue;
      CHECK((uintptr_t)there % 8 == 0);
      CHECK_EQUAL(*there, 8);
      CHECK_EQUAL(from, me);
      step = 4;
    }
  }
  CHECK_EQUAL(step, 4);
  CHECK_EQUAL(convey_reset(c), convey_OK);
}

/* An item larger than the bound is refused, even if it would fit in a buffer. */
static void bounds(void) {
  static unsigned char data[5000];
  convey_t* c = convey_new_etensor(4096, 1000, 1, 0, 2, NULL, convey_opt_QUIET);
  CHECK_EQUAL(convey_begin(c, 1001, 0), convey_error_SIZE);
  CHECK_EQUAL(convey_begin(c, 0, 0), convey_error_SIZE);
  CHECK_EQUAL(convey_begin(c, 1000, 0), convey_OK);
  const size_t bad[] = {1001, 4000, 5000, SIZE_MAX};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_EQUAL(convey_epush(c, bad[i], data, 0), convey_error_SIZE);
  }
  CHECK_EQUAL(convey_epush(c, 8, data, boxcar_n_pes()), convey_error_RANGE);
  CHECK_EQUAL(convey_epush(c, 8, data, -1), convey_error_RANGE);
  CHECK_EQUAL(convey_statistic(c, convey_PUSHES), 0);
  convey_item_t item;
  while (convey_advance(c, true) > 0) CHECK_EQUAL(convey_epull(c, &item), convey_FAIL);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

/* A refused pull changes nothing: the item pulled before can still be put back, even if it was
 * the last item of a buffer, as tickets are. */
static void refused_pulls(size_t other_size) {
  static unsigned char other[500];
  const int64_t me = boxcar_my_pe();
  uint64_t eight = 8, got = 0;
  convey_item_t item;
  convey_t* c = convey_new_etensor(64, 1000, 1, 0, 4, NULL, convey_opt_QUIET);
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(convey_epush(c, other_size, other, me), convey_OK);
  CHECK_EQUAL(convey_push(c, &eight, me), convey_OK);
  CHECK_EQUAL(convey_epush(c, other_size, other, me), convey_OK);
  while (convey_advance(c, true) == convey_OK) continue; /* all has arrived */

  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_error_MISFIT);
  CHECK_EQUAL(convey_unpull(c), convey_FAIL); /* there was none before */
  CHECK_EQUAL(convey_epull(c, &item), convey_OK);
  CHECK_EQUAL(item.bytes, other_size);
  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_OK);
  CHECK_EQUAL(got, 8);
  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_error_MISFIT);
  CHECK(convey_apull(c, NULL) == NULL);
  CHECK_EQUAL(convey_unpull(c), convey_OK);
  got = 0;
  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_OK);
  CHECK_EQUAL(got, 8);
  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_error_MISFIT);
  CHECK_EQUAL(convey_epull(c, &item), convey_OK);
  CHECK_EQUAL(item.bytes, other_size);
  CHECK(memcmp(item.data, other, other_size) == 0);
  CHECK_EQUAL(convey_unpull(c), convey_OK);
  CHECK_EQUAL(convey_pull(c, &got, NULL), convey_error_MISFIT);
  CHECK_EQUAL(convey_epull(c, &item), convey_OK);
  CHECK_EQUAL(convey_epull(c, &item), convey_FAIL);
  int state;
  while ((state = convey_advance(c, true)) == convey_NEAR) continue; /* items are in flight */
  CHECK_EQUAL(state, convey_DONE);
  CHECK_EQUAL(convey_statistic(c, convey_UNPULLS), 2);
  CHECK_EQUAL(convey_statistic(c, convey_PULLS), 5);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

/* No bound, as far as the client is concerned; still nothing can be larger than the memory. */
static void boundless(void) {
  convey_t* c = convey_new_elastic(SIZE_MAX, SIZE_MAX, 0, NULL, convey_opt_QUIET);
  unsigned char data[5] = {1, 2, 3, 4, 5};
  CHECK_EQUAL(convey_begin(c, 5, 0), convey_OK);
  for (size_t less = 0; less < 9; less++) {
    CHECK_EQUAL(convey_epush(c, SIZE_MAX - less, data, 0), convey_error_SIZE);
  }
  CHECK_EQUAL(convey_epush(c, SIZE_MAX / 4, data, 0), convey_error_MEMORY);
  CHECK_EQUAL(convey_push(c, data, boxcar_my_pe()), convey_OK);
  int pulled = 0;
  while (convey_advance(c, true) > 0) pulled += convey_pull(c, data, NULL);
  CHECK_EQUAL(pulled, 1);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  for (int order = 1; order <= 3; order++) {
    for (uint64_t options = 0; options <= convey_opt_PROGRESS; options += convey_opt_PROGRESS) {
      exchange_elastic(convey_new_etensor(200, 100, order, 0, 2, NULL, options), 100, 2000);
      exchange_elastic(convey_new_etensor(64, 3000, order, 1, 1, NULL, options), 3000, 500);
      exchange_elastic(convey_new_etensor(1000, 3 << 20, order, 0, 2, NULL, options), 3 << 20, 40);
    }
    convey_t* c = convey_new_etensor(256, 64, order, 0, 2, NULL, convey_opt_QUIET);
    plain_pulls(c);
    plain_pulls(c);
    CHECK_EQUAL(convey_free(c), convey_OK);
  }
  exchange_elastic(convey_new_elastic(50, SIZE_MAX, 0, NULL, 0), 50, 2000);
  exchange_elastic(convey_new_elastic(100000, 0, 0, NULL, convey_opt_DYNAMIC), 100000, 100);
  refused_pulls(12);
  refused_pulls(50);
  refused_pulls(500);
  boundless();
  bounds();
  return verdict();
}
