/* Tests of allocators of the client: memory is used, freed in reverse, and nothing leaks when an
 * allocation fails, on one PE or all. */
#include <biconvey.h>
#include <boxcar_world.h>
#include <convey.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "traffic.h"

enum { DEPTH = 200, MARGIN = 32, MARK = 0xa5 };

/* An allocator that records its calls. */
struct arena {
  void* blocks[DEPTH]; /* held now, in the order of allocation */
  size_t sizes[DEPTH];
  int held;
  int grabbed;
  int fail_at; /* the number of the allocation to fail; -1: none */
  uint64_t sizes_seen;
};

static void* grab(void* alc8r, size_t size, const char* tag, uint64_t value) {
  struct arena* a = alc8r;
  CHECK(tag != NULL && strlen(tag) > 0);
  CHECK_EQUAL(value, a->grabbed);
  CHECK(size > 0);
  a->sizes_seen = a->sizes_seen * 31 + size;
  if (a->grabbed++ == a->fail_at) return NULL;
  /* Badly aligned, full of rubbish, and fenced. */
  unsigned char* block = malloc(size + 2 * MARGIN + 1);
  if (block == NULL || a->held == DEPTH) abort();
  memset(block, MARK, size + 2 * MARGIN + 1);
  a->blocks[a->held] = block;
  a->sizes[a->held++] = size;
  return block + MARGIN + 1;
}

static void release(void* alc8r, void* ptr) {
  struct arena* a = alc8r;
  CHECK(a->held > 0);
  if (a->held == 0) return;
  unsigned char* block = a->blocks[--a->held];
  CHECK(ptr == block + MARGIN + 1); /* the last allocation */
  for (size_t i = 0; i < MARGIN; i++) {
    CHECK_EQUAL(block[i], MARK);
    CHECK_EQUAL(block[MARGIN + 1 + a->sizes[a->held] + i], MARK);
  }
  free(block);
}

static const struct arena empty = {.fail_at = -1};

/* Returns whether any of the blocks contains the text. */
static bool contains(const struct arena* a, const void* text, size_t length) {
  for (int i = 0; i < a->held; i++) {
    const unsigned char* block = a->blocks[i];
    for (size_t at = MARGIN; at + length <= MARGIN + a->sizes[i]; at++) {
      if (memcmp(block + at, text, length) == 0) return true;
    }
  }
  return false;
}

/* All PEs ask for the same. */
static void check_alike(const struct arena* a) {
  int64_t sizes = (int64_t)(a->sizes_seen % 1000000007);
  const int64_t mine = sizes;
  CHECK_EQUAL(boxcar_sum(&sizes), convey_OK);
  CHECK_EQUAL(sizes, mine * boxcar_n_pes());
}

typedef convey_t* maker(const convey_alc8r_t* alloc, uint64_t options);

static convey_t* make_generic(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new(SIZE_MAX, 0, alloc, options);
}
static convey_t* make_simple(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_simple(300, alloc, NULL, options);
}
static convey_t* make_twohop(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_twohop(300, 1, alloc, options);
}
static convey_t* make_matrix(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_tensor(300, 2, 0, 2, alloc, options);
}
static convey_t* make_tensor(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_tensor(300, 3, 1, 2, alloc, options);
}
static convey_t* make_elastic(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_elastic(5000, 1 << 20, 0, alloc, options);
}
static convey_t* make_etensor(const convey_alc8r_t* alloc, uint64_t options) {
  return convey_new_etensor(300, 5000, 3, 1, 2, alloc, options);
}

static void use(maker* make) {
  struct arena a = empty;
  const convey_alc8r_t alloc = {&a, grab, release};

  /* Held from construction on, */
  convey_t* c = make(&alloc, 0);
  CHECK(c != NULL);
  CHECK(a.held > 0);
  const int held = a.held;
  const int needed = a.grabbed;
  exchange_items(c, 24, 300);
  exchange_items(c, 8, 300);
  CHECK_EQUAL(a.held, held);
  check_alike(&a);
  CHECK_EQUAL(convey_free(c), convey_OK);
  CHECK_EQUAL(a.held, 0);

  /* or during sessions. */
  a = empty;
  c = make(&alloc, convey_opt_DYNAMIC);
  CHECK(c != NULL);
  CHECK_EQUAL(a.held, 0);
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(a.held, held);
  uint64_t item;
  while (convey_advance(c, true) > 0) CHECK_EQUAL(convey_pull(c, &item, NULL), convey_FAIL);
  CHECK_EQUAL(convey_reset(c), convey_OK);
  CHECK_EQUAL(a.held, 0);
  exchange_items(c, 16, 300);
  CHECK_EQUAL(a.held, 0);
  check_alike(&a);
  CHECK_EQUAL(convey_free(c), convey_OK);

  /* Each allocation fails in turn, on all PEs, or only on the last PE. */
  for (int fail = 0; fail < needed; fail++) {
    for (int lonely = 0; lonely < 2; lonely++) {
      const bool here = !lonely || boxcar_my_pe() == boxcar_n_pes() - 1;
      a = empty;
      a.fail_at = here ? fail : -1;
      CHECK(make(&alloc, convey_opt_QUIET) == NULL);
      CHECK_EQUAL(a.held, 0);

      a = empty;
      a.fail_at = here ? fail : -1;
      c = make(&alloc, convey_opt_QUIET | convey_opt_DYNAMIC);
      CHECK(c != NULL);
      CHECK_EQUAL(convey_begin(c, 8, 0), convey_error_MEMORY);
      CHECK_EQUAL(a.held, 0);
      CHECK_EQUAL(convey_push(c, &item, 0), convey_error_STATE);
      exchange_items(c, 8, 100); /* now there is memory */
      CHECK_EQUAL(convey_free(c), convey_OK);
      CHECK_EQUAL(a.held, 0);
    }
  }
}

/* A PE in a world of one keeps all buffers in the memory of the client; a PE alone on its node
 * fills them there. */
static void items_lie_there(void) {
  struct arena a = empty;
  const convey_alc8r_t alloc = {&a, grab, release};
  static const char text[] = "0123456789 to be found again 9876543210";
  convey_t* c = convey_new_tensor(5000, 1, 0, 2, &alloc, 0);
  CHECK_EQUAL(convey_begin(c, sizeof text, 0), convey_OK);
  CHECK(!contains(&a, text, sizeof text));
  CHECK_EQUAL(convey_push(c, text, boxcar_my_pe()), convey_OK);
  int64_t found = contains(&a, text, sizeof text);
  CHECK_EQUAL(boxcar_sum(&found), convey_OK);
  int64_t alone = boxcar_n_local() == 1;
  CHECK_EQUAL(boxcar_sum(&alone), convey_OK);
  if (alone == boxcar_n_pes()) CHECK_EQUAL(found, alone);
  if (alone == 0) CHECK_EQUAL(found, 0);
  char item[sizeof text];
  while (convey_advance(c, true) > 0) {
    while (convey_pull(c, item, NULL) > 0) CHECK(memcmp(item, text, sizeof text) == 0);
  }
  CHECK_EQUAL(convey_free(c), convey_OK);
  CHECK_EQUAL(a.held, 0);
}

static void square(const void* query, void* reply, void* context) {
  (void)context;
  uint64_t n;
  memcpy(&n, query, sizeof n);
  n *= n;
  memcpy(reply, &n, sizeof n);
}

static void use_biconveyor(uint64_t options) {
  struct arena a = empty;
  const convey_alc8r_t alloc = {&a, grab, release};
  biconvey_t* b = biconvey_new_tensor(400, 2, 1, 2, &alloc, options);
  CHECK(b != NULL);
  for (int session = 0; session < 2; session++) {
    CHECK_EQUAL(biconvey_begin(b, 8, 8, square, NULL), convey_OK);
    CHECK(a.held > 0);
    uint64_t pushed = 0, pulled = 0, reply;
    while (biconvey_advance(b, pushed == 100) > 0) {
      while (pushed < 100 && biconvey_push(b, &pushed, 0) == convey_OK) pushed++;
      for (; biconvey_pull(b, &reply) == convey_OK; pulled++) CHECK_EQUAL(reply, pulled * pulled);
    }
    CHECK_EQUAL(pulled, 100);
    CHECK_EQUAL(biconvey_reset(b), convey_OK);
  }
  check_alike(&a);
  const int grabbed = a.grabbed;
  CHECK_EQUAL(biconvey_free(b), convey_OK);
  CHECK_EQUAL(a.held, 0);
  /* Each grab fails in turn: in the constructor, or where memory is dynamic in begin. */
  const int needed = (options & convey_opt_DYNAMIC) == 0 ? grabbed : grabbed / 2;
  for (int fail = 0; fail < needed; fail++) {
    a = empty;
    a.fail_at = fail;
    b = biconvey_new_tensor(400, 2, 1, 2, &alloc, options | convey_opt_QUIET);
    CHECK((b == NULL) == ((options & convey_opt_DYNAMIC) == 0));
    if (b == NULL) continue;
    CHECK_EQUAL(biconvey_begin(b, 8, 8, square, NULL), convey_error_MEMORY);
    CHECK_EQUAL(a.held, 0);
    CHECK_EQUAL(biconvey_begin(b, 8, 8, square, NULL), convey_OK);
    while (biconvey_advance(b, true) > 0) continue;
    CHECK_EQUAL(biconvey_free(b), convey_OK);
    CHECK_EQUAL(a.held, 0);
  }
  CHECK_EQUAL(a.held, 0);
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  maker* const all[] = {make_generic, make_simple,  make_twohop, make_matrix,
                        make_tensor,  make_elastic, make_etensor};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) use(all[i]);
  items_lie_there();
  use_biconveyor(0);
  use_biconveyor(convey_opt_DYNAMIC);
  return verdict();
}
