/* Tests that pointers from convey_apull have the alignment given to convey_begin. */
#include <boxcar_world.h>
#include <convey.h>
#include <string.h>

#include "check.h"

static size_t promised(size_t item_bytes, size_t align) {
  const bool power = align != 0 && (align & (align - 1)) == 0;
  if (power && align <= CONVEY_MAX_ALIGN && item_bytes % align == 0) return align;
  size_t largest = 1;
  while (largest < CONVEY_MAX_ALIGN && item_bytes % (2 * largest) == 0) largest *= 2;
  return largest;
}

static void pull_aligned(convey_t* c, size_t item_bytes, size_t align) {
  unsigned char item[256], right[256];
  const int64_t me = boxcar_my_pe();
  const size_t alignment = promised(item_bytes, align);
  CHECK_EQUAL(convey_begin(c, item_bytes, align), convey_OK);
  int pushed = 0, pulled = 0;
  while (convey_advance(c, pushed == 20) > 0) {
    for (; pushed < 20; pushed++) {
      memset(item, pushed, item_bytes);
      if (convey_push(c, item, me) != convey_OK) break;
    }
    int64_t from = -1;
    const unsigned char* there;
    while ((there = convey_apull(c, &from)) != NULL) {
      CHECK_EQUAL((uintptr_t)there % alignment, 0);
      memset(right, pulled, item_bytes);
      CHECK(memcmp(there, right, item_bytes) == 0);
      CHECK_EQUAL(from, me);
      if (pulled % 4 == 0) { /* the same item again, as a copy */
        CHECK_EQUAL(convey_unpull(c), convey_OK);
        CHECK_EQUAL(convey_pull(c, item, NULL), convey_OK);
        CHECK(memcmp(item, right, item_bytes) == 0);
      }
      pulled++;
    }
  }
  CHECK_EQUAL(pulled, 20);
  CHECK_EQUAL(convey_reset(c), convey_OK);
}

int main(void) {
  static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 200};
  static const size_t aligns[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 128, SIZE_MAX};
  for (int kind = 0; kind < 7; kind++) {
    convey_t* c = kind < 3   ? convey_new_tensor(1000, kind + 1, 0, 2, NULL, 0)
                  : kind < 6 ? convey_new_etensor(1000, 200, kind - 2, 0, 2, NULL, 0)
                             : convey_new_simple(1000, NULL, NULL, convey_opt_SCATTER);
    CHECK(c != NULL);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
      for (size_t a = 0; a < sizeof aligns / sizeof aligns[0]; a += 1 + s % 3) {
        pull_aligned(c, sizes[s], aligns[a]);
      }
    }
    CHECK_EQUAL(convey_free(c), convey_OK);
  }
  return verdict();
}
