/* Makes the requested mistake, on the last PE or, if a PE cannot make it alone, on all. */
#include <boxcar_shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* asked;
static int is(const char* mistake) {
  return strcmp(asked, mistake) == 0;
}

int main(int argc, char** argv) {
  asked = argc > 1 ? argv[1] : "";
  long here = 0;
  if (is("before_init")) (void)shmem_n_pes();
  shmem_init();
  if (is("init_twice")) shmem_init();
  const int pes = shmem_n_pes(), is_last = shmem_my_pe() == pes - 1;
  long* const there = shmem_calloc(10, sizeof(long));
  shmemx_ct_t ct;
  shmemx_ct_create(&ct);
  shmemx_oct_t oct;
  shmemx_oct_create(&oct, there, 10 * sizeof(long));
  if (is_last) {
    if (is("no_such_pe")) shmemx_long_put_ct(ct, there, &here, 1, pes);
    if (is("negative_pe")) (void)shmemx_push(oct, &here, 8, -1);
    if (is("not_symmetric")) shmemx_long_put_ct(ct, &here, there, 1, 0);
    if (is("negative_count")) shmemx_ct_set(ct, -3);
    if (is("no_counter")) (void)shmemx_ct_get(NULL);
    if (is("no_buffer")) (void)shmemx_oct_get(NULL);
    if (is("too_much")) shmemx_oct_wait(oct, 81);
    if (is("beyond_block")) shmem_long_put(there + 5, there, 6, 0);
    if (is("null_source")) shmem_long_put(there, NULL, 1, 0);
    if (is("null_destination")) shmem_long_get(NULL, there, 1, 0);
    if (is("not_aligned")) shmem_long_atomic_inc((long*)((char*)there + 4), 0);
    if (is("no_comparison")) shmem_long_wait_until(there, 17, 1);
  }
  if (is("other_size")) (void)shmem_malloc(is_last ? 64 : 128);
  if (is("other_call")) {
    if (is_last)
      shmem_barrier_all();
    else
      (void)shmem_malloc(64);
  }
#if SHMEM_MINOR_VERSION >= 5
  if (is("null_indices")) (void)shmem_long_test_some(there, 2, NULL, NULL, SHMEM_CMP_EQ, 0);
  if (is("reduce_beyond")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, there, there + 5, 6);
  const size_t elements = is_last ? 2 : 1;
  if (is("other_reduce")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, there, there + 5, elements);
  if (is("other_broadcast")) shmem_long_broadcast(SHMEM_TEAM_WORLD, there, there + 5, elements, 0);
  if (is("other_root")) shmem_long_broadcast(SHMEM_TEAM_WORLD, there, there + 5, 1, is_last);
  if (is("other_fcollect")) shmem_long_fcollect(SHMEM_TEAM_WORLD, there, there + 5, elements);
  if (is("other_alltoall")) shmem_long_alltoall(SHMEM_TEAM_WORLD, there, there + 5, elements);
#endif
  if (is("free_middle")) shmem_free(there + 1);
  shmem_finalize();
  if (is("after_finalize")) (void)shmem_my_pe();
  fprintf(stderr, "nobody has noticed %s\n", asked);
  return EXIT_SUCCESS;
}
