/* Identity, the heap, contexts, teams. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"
#include "families.h"

int check_identity(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  int major = 0, minor = 0, level = -1;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  shmem_query_thread(&level);
  EXPECT_EQUAL(wrong, 10 * major + minor, 15);
  EXPECT_EQUAL(wrong, strcmp(name, SHMEM_VENDOR_STRING), 0);
  EXPECT_EQUAL(wrong, level, SHMEM_THREAD_SINGLE);
  EXPECT_EQUAL(wrong, shmem_pe_accessible(pes - 1), 1);
  EXPECT_EQUAL(wrong, shmem_pe_accessible(pes), 0);
  EXPECT_EQUAL(wrong, shmem_pe_accessible(-1), 0);
  int* const there = shmem_malloc(sizeof(int));
  int here = 0;
  EXPECT_EQUAL(wrong, shmem_addr_accessible(there, 0), 1);
  EXPECT_EQUAL(wrong, shmem_addr_accessible(&here, 0), 0);
  EXPECT_EQUAL(wrong, shmem_ptr(there, me) == there, 1);
  shmem_pcontrol(1, "nothing");
  shmem_free(there);
  return wrong;
}

int check_heap(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    char* const block = shmem_align(alignment, 100);
    EXPECT_EQUAL(wrong, block != NULL, 1);
    EXPECT_EQUAL(wrong, (uintptr_t)block % alignment, 0);
    shmem_char_p(block + 99, (char)(alignment % 100), right);
    shmem_barrier_all();
    EXPECT_EQUAL(wrong, block[99], alignment % 100);
    shmem_free(block);
  }
  EXPECT_EQUAL(wrong, shmem_align(3, 100) == NULL, 1);
  int* numbers = shmem_malloc_with_hints(10 * sizeof(int), SHMEM_MALLOC_ATOMICS_REMOTE);
  for (int i = 0; i < 10; i++) numbers[i] = i;
  numbers = shmem_realloc(numbers, 1000 * sizeof(int));
  for (int i = 0; i < 10; i++) EXPECT_EQUAL(wrong, numbers[i], i);
  numbers = shmem_realloc(numbers, 5 * sizeof(int));
  EXPECT_EQUAL(wrong, numbers[4], 4);
  EXPECT_EQUAL(wrong, shmem_realloc(numbers, 0) == NULL, 1);
  /* Three quarters of the heap of 64 MiB: no second block of that size has room. */
  char* const most = shmem_malloc((size_t)48 << 20);
  if (most != NULL) {
    most[100] = 7;
    char* const less = shmem_realloc(most, (size_t)40 << 20);
    EXPECT_EQUAL(wrong, less != NULL && less[100] == 7, 1);
    EXPECT_EQUAL(wrong, shmem_realloc(less, (size_t)44 << 20) == less, 1);
    shmem_free(less);
  }
  int* const fresh = shmem_realloc(NULL, sizeof(int));
  EXPECT_EQUAL(wrong, fresh != NULL, 1);
  shmem_free(fresh);
  return wrong;
}

int check_contexts(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  long* const data = shmem_calloc(2, sizeof(long));
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  EXPECT_EQUAL(wrong, shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
  shmem_team_t team = SHMEM_TEAM_INVALID;
  EXPECT_EQUAL(wrong, shmem_ctx_get_team(ctx, &team), 0);
  EXPECT_EQUAL(wrong, team == SHMEM_TEAM_WORLD, 1);
  shmem_ctx_long_p(ctx, data, me + 1, (me + 1) % pes);
  shmem_ctx_fence(ctx);
  shmem_ctx_quiet(ctx);
  shmem_ctx_destroy(ctx);
  /* A team in which the PEs have other numbers. */
  EXPECT_EQUAL(wrong, shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &team),
               0);
  EXPECT_EQUAL(wrong, shmem_team_create_ctx(team, 0, &ctx), 0);
  shmem_team_t its = SHMEM_TEAM_INVALID;
  EXPECT_EQUAL(wrong, shmem_ctx_get_team(ctx, &its), 0);
  EXPECT_EQUAL(wrong, its == team, 1);
  const int mirrored = pes - 1 - me;
  shmem_ctx_long_p(ctx, data + 1, me + 1, me);
  shmem_barrier_all();
  EXPECT_EQUAL(wrong, data[0], (me + pes - 1) % pes + 1);
  EXPECT_EQUAL(wrong, data[1], mirrored + 1);
  EXPECT_EQUAL(wrong, shmem_ctx_long_g(ctx, data + 1, me), me + 1);
  shmem_ctx_destroy(ctx);
  shmem_team_destroy(team);
  EXPECT_EQUAL(wrong, shmem_ctx_get_team(SHMEM_CTX_INVALID, &its) != 0, 1);
  EXPECT_EQUAL(wrong, shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0, 1);
  shmem_free(data);
  return wrong;
}

static int check_split_2d(int xrange) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int length = xrange < pes ? xrange : pes;
  shmem_team_t x, y;
  EXPECT_EQUAL(wrong, shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, NULL, 0, &x, NULL, 0, &y), 0);
  EXPECT_EQUAL(wrong, shmem_team_my_pe(x), me % length);
  EXPECT_EQUAL(wrong, shmem_team_my_pe(y), me / length);
  EXPECT_EQUAL(wrong, shmem_team_translate_pe(x, 0, SHMEM_TEAM_WORLD), me / length * length);
  EXPECT_EQUAL(wrong, shmem_team_translate_pe(y, 0, SHMEM_TEAM_WORLD), me % length);
  EXPECT_EQUAL(wrong, shmem_team_sync(x), 0);
  EXPECT_EQUAL(wrong, shmem_team_sync(y), 0);
  shmem_team_destroy(y);
  shmem_team_destroy(x);
  return wrong;
}

int check_teams(void) {
  int wrong = 0;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  EXPECT_EQUAL(wrong, shmem_team_my_pe(SHMEM_TEAM_WORLD), me);
  EXPECT_EQUAL(wrong, shmem_team_n_pes(SHMEM_TEAM_WORLD), pes);
  EXPECT_EQUAL(wrong, shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
  EXPECT_EQUAL(wrong, shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
  EXPECT_EQUAL(wrong, shmem_team_sync(SHMEM_TEAM_INVALID) != 0, 1);
  int* const there = shmem_malloc(sizeof(int));
  for (int i = 0; i < shmem_team_n_pes(SHMEM_TEAM_SHARED); i++) {
    EXPECT_EQUAL(wrong, shmem_team_ptr(SHMEM_TEAM_SHARED, there, i) != NULL, 1);
  }
  /* PEs of even rank; more teams one after the other than there are at once. */
  const int even = (pes + 1) / 2;
  const shmem_team_config_t config = {3};
  for (int i = 0; i < 300; i++) {
    shmem_team_t team = SHMEM_TEAM_WORLD;
    const int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, even, &config,
                                                SHMEM_TEAM_NUM_CONTEXTS, &team);
    EXPECT_EQUAL(wrong, status, 0);
    EXPECT_EQUAL(wrong, team != SHMEM_TEAM_INVALID, me % 2 == 0);
    EXPECT_EQUAL(wrong, shmem_team_my_pe(team), me % 2 == 0 ? me / 2 : -1);
    if (me % 2 == 0) {
      shmem_team_config_t found = {0};
      EXPECT_EQUAL(wrong, shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &found), 0);
      EXPECT_EQUAL(wrong, found.num_contexts, 3);
      EXPECT_EQUAL(wrong, shmem_team_translate_pe(team, even - 1, SHMEM_TEAM_WORLD), 2 * even - 2);
      EXPECT_EQUAL(wrong, shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, team), -1);
      EXPECT_EQUAL(wrong, shmem_sync(team), 0);
    }
    shmem_team_destroy(team);
  }
  shmem_team_t none = SHMEM_TEAM_WORLD;
  EXPECT_EQUAL(wrong,
               shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &none) != 0, 1);
  EXPECT_EQUAL(wrong, none == SHMEM_TEAM_INVALID, 1);
  EXPECT_EQUAL(wrong, shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &none) != 0,
               1);
  wrong += check_split_2d(1);
  wrong += check_split_2d(2);
  wrong += check_split_2d(pes + 3);
  shmem_barrier_all();
  shmem_free(there);
  return wrong;
}
