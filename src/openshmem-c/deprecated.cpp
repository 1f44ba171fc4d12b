// The functions of shmem.h by their names from before OpenSHMEM 1.4: each function calls the
// function of the current name.
#include <boxcar/openshmem-c/shmem.h>

int _my_pe(void) {
  return shmem_my_pe();
}
int _num_pes(void) {
  return shmem_n_pes();
}
void* shmalloc(std::size_t size) {
  return shmem_malloc(size);
}
void* shmemalign(std::size_t alignment, std::size_t size) {
  return shmem_align(alignment, size);
}
void* shrealloc(void* memory, std::size_t size) {
  return shmem_realloc(memory, size);
}
void shfree(void* memory) {
  shmem_free(memory);
}

// clang-format off
#define DEFINE_OLD_AMO(OP, NAME, TYPE) \
  void shmem_##NAME##_add(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic_add(dest, value, pe); \
  } \
  void shmem_##NAME##_inc(TYPE* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); } \
  TYPE shmem_##NAME##_fadd(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_fetch_add(dest, value, pe); \
  } \
  TYPE shmem_##NAME##_finc(TYPE* dest, int pe) { \
    return shmem_##NAME##_atomic_fetch_inc(dest, pe); \
  } \
  TYPE shmem_##NAME##_cswap(TYPE* dest, TYPE cond, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe); \
  }
BOXCAR_SHMEM_AMO_TYPES(DEFINE_OLD_AMO, )

#define DEFINE_OLD_EXTENDED(OP, NAME, TYPE) \
  TYPE shmem_##NAME##_fetch(const TYPE* source, int pe) { \
    return shmem_##NAME##_atomic_fetch(source, pe); \
  } \
  void shmem_##NAME##_set(TYPE* dest, TYPE value, int pe) { \
    shmem_##NAME##_atomic_set(dest, value, pe); \
  } \
  TYPE shmem_##NAME##_swap(TYPE* dest, TYPE value, int pe) { \
    return shmem_##NAME##_atomic_swap(dest, value, pe); \
  }
BOXCAR_SHMEM_EXTENDED_TYPES(DEFINE_OLD_EXTENDED, )

#define DEFINE_OLD_WAIT(OP, NAME, TYPE) \
  void shmem_##NAME##_wait(TYPE* ivar, TYPE cmp_value) { \
    shmem_##NAME##_wait_until(ivar, SHMEM_CMP_NE, cmp_value); \
  }
BOXCAR_SHMEM_OLD_WAIT_TYPES(DEFINE_OLD_WAIT, )
// clang-format on
void shmem_wait(long* ivar, long cmp_value) {
  shmem_long_wait_until(ivar, SHMEM_CMP_NE, cmp_value);
}

void shmem_clear_cache_inv(void) {}
void shmem_set_cache_inv(void) {}
void shmem_clear_cache_line_inv(void*) {}
void shmem_set_cache_line_inv(void*) {}
void shmem_udcflush(void) {}
void shmem_udcflush_line(void*) {}
