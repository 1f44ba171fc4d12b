/* Sends N items through a conveyor in C, for bench/instructions/measure to count instructions.
 *
 *   item_cost CASE N
 *
 * The case "client" is the client's part alone, to be subtracted.
 */
#include <convey.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1024 };
static uint64_t tally[TABLE];

/* Keeps the compiler from knowing the value, at no cost. */
static uint64_t opaque(uint64_t value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

static void client(long n) {
  for (long i = 0; i < n; i++) opaque((uint64_t)i & (TABLE - 1));
  for (long i = 0; i < n; i++) tally[opaque(0)]++;
}

static void items_of_8(convey_t* c, long n) {
  convey_begin(c, 8, 0);
  uint64_t slot;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      slot = (uint64_t)i & (TABLE - 1);
      if (!convey_push(c, &slot, 0)) break;
    }
    while (convey_pull(c, &slot, NULL)) tally[slot]++;
  }
}

/* As by a client's compiler that inlines nothing. */
static int (*volatile push)(convey_t*, const void*, int64_t) = convey_push;
static int (*volatile pull)(convey_t*, void*, int64_t*) = convey_pull;

static void called_items_of_8(convey_t* c, long n) {
  convey_begin(c, 8, 0);
  uint64_t slot;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      slot = (uint64_t)i & (TABLE - 1);
      if (!push(c, &slot, 0)) break;
    }
    while (pull(c, &slot, NULL)) tally[slot]++;
  }
}

static void items_of_16(convey_t* c, long n) {
  struct {
    uint64_t slot, more;
  } item = {0, 0};
  convey_begin(c, sizeof item, 0);
  int64_t from;
  long i = 0;
  while (convey_advance(c, i == n)) {
    for (; i < n; i++) {
      item.slot = (uint64_t)i & (TABLE - 1);
      if (!convey_push(c, &item, 0)) break;
    }
    while (convey_pull(c, &item, &from)) tally[item.slot]++;
  }
}

int main(int argc, char* argv[]) {
  if (argc != 3) return 2;
  const long n = atol(argv[2]);
  const char* name = argv[1];
  const char order = name[strlen(name) - 1];
  if (strcmp(name, "client") == 0) {
    client(n);
    return EXIT_SUCCESS;
  }
  convey_t* c = strncmp(name, "elastic", 7) == 0
                    ? convey_new_etensor(1 << 16, 1024, order - '0', 1, 2, NULL, 0)
                    : convey_new_tensor(1 << 16, order - '0', 1, 2, NULL, 0);
  if (c == NULL) return EXIT_FAILURE;
  if (strncmp(name, "called", 6) == 0) {
    called_items_of_8(c, n);
  } else if (strncmp(name, "packet", 6) == 0) {
    items_of_16(c, n);
  } else {
    items_of_8(c, n);
  }
  const int64_t pulls = convey_statistic(c, convey_PULLS);
  return pulls == n && convey_free(c) == convey_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
