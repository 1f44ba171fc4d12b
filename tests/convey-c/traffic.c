#include "traffic.h"

#include <boxcar_world.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* An item begins with its number among the items from its source to its destination; the other
 * bytes follow from the number. */
static void fill(unsigned char* item, size_t bytes, uint64_t number, int64_t from, int64_t to) {
  memcpy(item, &number, sizeof number);
  for (size_t i = sizeof number; i < bytes; i++) {
    item[i] = (unsigned char)(number * 31 + (uint64_t)from * 7 + (uint64_t)to * 3 + i);
  }
}

static void check_item(const unsigned char* item, size_t bytes, int64_t from, uint64_t* expected) {
  unsigned char right[70000];
  fill(right, bytes, expected[from], from, boxcar_my_pe());
  CHECK(memcmp(item, right, bytes) == 0);
  expected[from]++;
}

/* Pulls by one of several functions. */
static bool pull_one(convey_t* c, size_t bytes, uint64_t* expected) {
  unsigned char item[70000];
  int64_t from = -1;
  const uint64_t way = random_number() % 8;
  if (way == 0) {
    const unsigned char* found = convey_apull(c, &from);
    if (found == NULL) return false;
    check_item(found, bytes, from, expected);
    return true;
  }
  const int status = convey_pull(c, item, &from);
  CHECK(status == convey_OK || status == convey_FAIL);
  if (status == convey_FAIL) return false;
  if (way == 1) { /* puts the item back */
    CHECK_EQUAL(convey_unpull(c), convey_OK);
    CHECK_EQUAL(convey_unpull(c), convey_FAIL);
    CHECK_EQUAL(convey_pull(c, item, NULL), convey_OK);
  }
  check_item(item, bytes, from, expected);
  return true;
}

void exchange_items(convey_t* c, size_t item_bytes, long items) {
  const int64_t pes = boxcar_n_pes();
  uint64_t* sent = calloc((size_t)pes, sizeof *sent);
  uint64_t* expected = calloc((size_t)pes, sizeof *expected);
  unsigned char item[70000];

  CHECK_EQUAL(convey_item_size(c), 0);
  CHECK_EQUAL(convey_begin(c, item_bytes, 0), convey_OK);
  CHECK_EQUAL(convey_item_size(c), item_bytes);
  long pushed = 0;
  int64_t to = (int64_t)(random_number() % (uint64_t)pes);
  int status;
  while ((status = convey_advance(c, pushed == items)) > 0) {
    for (; pushed < items; pushed++) {
      fill(item, item_bytes, sent[to], boxcar_my_pe(), to);
      const int result = convey_push(c, item, to);
      CHECK(result == convey_OK || result == convey_FAIL);
      if (result != convey_OK) break;
      sent[to]++;
      to = (int64_t)(random_number() % (uint64_t)pes);
    }
    while (pull_one(c, item_bytes, expected)) continue;
  }
  CHECK_EQUAL(status, convey_DONE);
  CHECK_EQUAL(convey_pull(c, item, NULL), convey_FAIL);
  CHECK_EQUAL(convey_unpull(c), convey_FAIL);
  CHECK_EQUAL(convey_reset(c), convey_OK);
  CHECK_EQUAL(convey_item_size(c), 0);

  int64_t balance = 0;
  for (int64_t pe = 0; pe < pes; pe++) balance += (int64_t)sent[pe] - (int64_t)expected[pe];
  boxcar_sum(&balance);
  CHECK_EQUAL(balance, 0);
  free(expected);
  free(sent);
}
