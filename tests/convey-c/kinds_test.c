/* Tests of every constructor, with every possible number of hops, group and buffer. */
#include <boxcar_world.h>
#include <convey.h>

#include "check.h"
#include "traffic.h"

static const uint64_t option_sets[] = {
    0,
    convey_opt_RECKLESS,
    convey_opt_DYNAMIC,
    convey_opt_SCATTER | convey_opt_QUIET,
    convey_opt_PROGRESS | convey_opt_DYNAMIC,
    convey_opt_COMPRESS | (uint64_t)convey_opt_STANDARD | (uint64_t)convey_opt_BLOCKING,
    convey_opt_COMPRESS | convey_opt_DYNAMIC | convey_opt_PROGRESS,
};
#define OPTION_SETS (sizeof option_sets / sizeof option_sets[0])

static void use(convey_t* c, uint64_t options) {
  CHECK(c != NULL);
  if (c == NULL) return;
  const uint64_t features = convey_features(c);
  CHECK((features & convey_STEADY) != 0 || (options & convey_opt_PROGRESS) == 0);
  CHECK((features & convey_STEADY) == 0 || (options & convey_opt_PROGRESS) != 0);
  /* Two of them for each conveyor. */
  static const size_t sizes[] = {8, 9, 12, 16, 24, 32, 40, 100};
  static size_t next = 0;
  for (int i = 0; i < 2; i++)
    exchange_items(c, sizes[next++ % (sizeof sizes / sizeof sizes[0])], 500);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

static void use_large(convey_t* c) {
  CHECK(c != NULL);
  if (c == NULL) return;
  exchange_items(c, 20000, 20);
  exchange_items(c, 65536, 10);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

static void use_all(uint64_t options) {
  const int pes = boxcar_n_pes();
  use(convey_new(SIZE_MAX, 0, NULL, options), options);
  use(convey_new(1 << 16, 0, NULL, options), options);
  use(convey_new_simple(512, NULL, NULL, options), options);
  use(convey_new_elastic(100, SIZE_MAX, 0, NULL, options), options);
  use(convey_new_elastic(4096, 1 << 16, 0, NULL, options), options);
  for (size_t group = 0; group <= (size_t)pes; group++) {
    if (group != 0 && (size_t)pes % group != 0) continue;
    use(convey_new_twohop(400, group, NULL, options), options);
    for (int order = 1; order <= 3; order++) {
      use(convey_new_tensor(300, order, group, 1, NULL, options), options);
      use(convey_new_tensor(1000, order, group, 4, NULL, options), options);
      use(convey_new_etensor(64, 200, order, group, 2, NULL, options), options);
      use(convey_new_etensor(2048, 100, order, group, 16, NULL, options), options);
    }
  }
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  for (size_t i = 0; i < OPTION_SETS; i++) use_all(option_sets[i]);
  use_large(convey_new_tensor(65536, 1, 0, 2, NULL, 0));
  use_large(convey_new_tensor(65536, 3, 1, 2, NULL, 0));
  use_large(convey_new_etensor(4096, 65536, 2, 1, 2, NULL, 0));
  /* Order 1 takes no interest in the group. */
  use(convey_new_tensor(1000, 1, 7919, 2, NULL, 0), 0);
  return verdict();
}
