/* Counts of a session, of all, and of all PEs together. */
#include <boxcar_world.h>
#include <convey.h>

#include "check.h"

static int64_t sum(int64_t value) {
  boxcar_sum(&value);
  return value;
}

struct done {
  int64_t pushes, pulls, unpulls, advances;
};

/* A session of `items` items from each PE to random PEs. Returns the counts of the PE. */
static struct done run_session(convey_t* c, long items) {
  struct done done = {0, 0, 0, 0};
  uint64_t item;
  CHECK_EQUAL(convey_begin(c, 8, 0), convey_OK);
  CHECK_EQUAL(convey_statistic(c, convey_BEGINS), 1);
  CHECK_EQUAL(convey_statistic(c, convey_PUSHES), 0);
  CHECK_EQUAL(convey_statistic(c, convey_ADVANCES), 0);
  int status = convey_OK;
  while (status != convey_DONE) {
    status = convey_advance(c, done.pushes == items);
    done.advances++;
    while (done.pushes < items) {
      const int64_t to = (int64_t)(random_number() % (uint64_t)boxcar_n_pes());
      if (convey_push(c, &item, to) != convey_OK) break;
      done.pushes++;
      CHECK_EQUAL(convey_statistic(c, convey_PUSHES), done.pushes);
    }
    while (convey_pull(c, &item, NULL) == convey_OK) {
      done.pulls++;
      if (done.pulls % 7 == 0 && convey_unpull(c) == convey_OK) {
        done.unpulls++;
        CHECK_EQUAL(convey_pull(c, &item, NULL), convey_OK);
        done.pulls++;
      }
      CHECK_EQUAL(convey_statistic(c, convey_PULLS), done.pulls);
    }
  }
  return done;
}

static void check_counts(convey_t* c, struct done done, int cumulative) {
  CHECK_EQUAL(convey_statistic(c, convey_PUSHES + cumulative), done.pushes);
  CHECK_EQUAL(convey_statistic(c, convey_PULLS + cumulative), done.pulls);
  CHECK_EQUAL(convey_statistic(c, convey_UNPULLS + cumulative), done.unpulls);
  CHECK_EQUAL(convey_statistic(c, convey_ADVANCES + cumulative), done.advances);
}

static void count(convey_t* c, int hops) {
  CHECK(c != NULL);
  if (c == NULL) return;
  for (int which = convey_BEGINS; which <= convey_BYTES + convey_CUMULATIVE; which++) {
    CHECK_EQUAL(convey_statistic(c, which), 0);
  }
  struct done all = {0, 0, 0, 0};
  for (int session = 1; session <= 3; session++) {
    const struct done now = run_session(c, 200 * session);
    all.pushes += now.pushes;
    all.pulls += now.pulls;
    all.unpulls += now.unpulls;
    all.advances += now.advances;
    check_counts(c, now, 0);
    CHECK_EQUAL(convey_reset(c), convey_OK);
    check_counts(c, now, 0);
    check_counts(c, all, convey_CUMULATIVE);
    CHECK_EQUAL(convey_statistic(c, convey_BEGINS), 1);
    CHECK_EQUAL(convey_statistic(c, convey_BEGINS + convey_CUMULATIVE), session);
    CHECK(convey_statistic(c, convey_SYNCS) >= 2);
    CHECK(convey_statistic(c, convey_COMMS) >= hops);
    /* Every item travels over the last hop, and over the other hops unless they lead nowhere,
     * with some bytes beside the item. */
    const int64_t bytes = sum(convey_statistic(c, convey_BYTES));
    const int64_t items = sum(now.pushes);
    CHECK(bytes >= 8 * items);
    CHECK(bytes <= (8 + 8) * items * hops);
    CHECK_EQUAL(sum(convey_statistic(c, convey_PUSHES)),
                sum(convey_statistic(c, convey_PULLS)) - sum(convey_statistic(c, convey_UNPULLS)));
  }
  CHECK_EQUAL(convey_statistic(c, -1), -1);
  CHECK_EQUAL(convey_statistic(c, convey_BYTES + convey_CUMULATIVE + 1), -1);
  CHECK_EQUAL(convey_statistic(c, 1000), -1);
  CHECK_EQUAL(convey_free(c), convey_OK);
}

int main(void) {
  seed_random((uint64_t)boxcar_my_pe());
  for (int order = 1; order <= 3; order++) {
    count(convey_new_tensor(400, order, 1, 2, NULL, 0), order);
    count(convey_new_tensor(400, order, 0, 2, NULL, convey_opt_DYNAMIC), order);
    count(convey_new_etensor(400, 8, order, 1, 2, NULL, 0), order);
  }
  count(convey_new_simple(400, NULL, NULL, 0), 1);
  count(convey_new_simple(400, NULL, NULL, convey_opt_SCATTER), 1);
  count(convey_new_twohop(400, 1, NULL, 0), 2);

  convey_t* c = convey_new_elastic(8, SIZE_MAX, 0, NULL, convey_opt_PROGRESS);
  CHECK_EQUAL(convey_features(c), convey_ELASTIC | convey_STEADY);
  CHECK_EQUAL(convey_free(c), convey_OK);
  c = convey_new(SIZE_MAX, 0, NULL, convey_opt_COMPRESS);
  CHECK_EQUAL(convey_features(c), convey_THRIFTY);
  CHECK_EQUAL(convey_free(c), convey_OK);
  c = convey_new_simple(100, NULL, NULL, 0);
  CHECK_EQUAL(convey_features(c), 0);
  CHECK_EQUAL(convey_free(c), convey_OK);
  CHECK(convey_version[0] >= '0' && convey_version[0] <= '9');
  CHECK_EQUAL(CONVEY_MAX_ALIGN, 64);
  return verdict();
}
