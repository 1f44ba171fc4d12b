#include "item_cost.h"

#include <boxcar_world.h>
#include <convey.h>
#include <string.h>

enum { TABLE = 1024 };

/* Keeps the compiler from knowing the value, at no cost. */
static uint64_t opaque(uint64_t value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

/* The PEs take turns as destinations: they are as many as a power of two. */
static int64_t last_pe(void) {
  return (int64_t)opaque((uint64_t)boxcar_n_pes() - 1);
}

static void client(long n, uint64_t* tally) {
  const int64_t last = last_pe();
  for (long i = 0; i < n; i++) {
    opaque((uint64_t)i & (TABLE - 1));
    opaque((uint64_t)(i & last));
  }
  for (long i = 0; i < n; i++) tally[opaque(0)]++;
}

static void items_of_8(convey_t* c, long n, uint64_t* tally) {
  convey_begin(c, 8, 0);
  const int64_t last = last_pe();
  uint64_t slot;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      slot = (uint64_t)i & (TABLE - 1);
      if (!convey_push(c, &slot, i & last)) break;
    }
    while (convey_pull(c, &slot, NULL)) tally[slot]++;
  }
}

/* Function pointers model a client's compiler without inlining. */
static int (*volatile push)(convey_t*, const void*, int64_t) = convey_push;
static int (*volatile pull)(convey_t*, void*, int64_t*) = convey_pull;

static void called_items_of_8(convey_t* c, long n, uint64_t* tally) {
  convey_begin(c, 8, 0);
  const int64_t last = last_pe();
  uint64_t slot;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      slot = (uint64_t)i & (TABLE - 1);
      if (!push(c, &slot, i & last)) break;
    }
    while (pull(c, &slot, NULL)) tally[slot]++;
  }
}

static void items_of_16(convey_t* c, long n, uint64_t* tally) {
  struct {
    uint64_t slot, more;
  } item = {0, 0};
  convey_begin(c, sizeof item, 0);
  const int64_t last = last_pe();
  int64_t from;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      item.slot = (uint64_t)i & (TABLE - 1);
      if (!convey_push(c, &item, i & last)) break;
    }
    while (convey_pull(c, &item, &from)) tally[item.slot]++;
  }
}

long send_items(const char* name, long n) {
  uint64_t tally[TABLE] = {0};
  if (strcmp(name, "client") == 0) {
    client(n, tally);
    return n;
  }
  const int order = name[strlen(name) - 1] - '0';
  const size_t n_local = order == 1 ? 1 : order == 2 ? 4 : 2;
  convey_t* c = strncmp(name, "elastic", 7) == 0
                    ? convey_new_etensor(1 << 16, 1024, order, n_local, 2, NULL, 0)
                    : convey_new_tensor(1 << 16, order, n_local, 2, NULL, 0);
  if (c == NULL) return -1;
  if (strncmp(name, "called", 6) == 0) {
    called_items_of_8(c, n, tally);
  } else if (strncmp(name, "packet", 6) == 0) {
    items_of_16(c, n, tally);
  } else {
    items_of_8(c, n, tally);
  }
  const long pulls = (long)convey_statistic(c, convey_PULLS);
  return convey_free(c) == convey_OK ? pulls : -1;
}
