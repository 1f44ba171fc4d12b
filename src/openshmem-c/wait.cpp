// The functions of shmem.h that wait for variables, and test variables.
#include "openshmem-c/wait.hpp"

#include "openshmem-c/call.hpp"

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

// clang-format off
// The functions on several variables: `VALUES` are the values of the conditions.
#define DEFINE_WAITS(NAME, TYPE, SUFFIX, PARAMETER, VALUES, IS_VECTOR) \
  void shmem_##NAME##_wait_until_all##SUFFIX(TYPE* ivars, std::size_t nelems, const int* status, \
                                             int cmp, PARAMETER) { \
    in_call(__func__, [&] { \
      condition<TYPE>(member::here(), ivars, nelems, status, cmp, VALUES, IS_VECTOR) \
          .wait_for_all(); \
    }); \
  } \
  std::size_t shmem_##NAME##_wait_until_any##SUFFIX(TYPE* ivars, std::size_t nelems, \
                                                    const int* status, int cmp, PARAMETER) { \
    return in_call(__func__, [&] { \
      return condition<TYPE>(member::here(), ivars, nelems, status, cmp, VALUES, IS_VECTOR) \
          .wait_for_any(); \
    }); \
  } \
  std::size_t shmem_##NAME##_wait_until_some##SUFFIX(TYPE* ivars, std::size_t nelems, \
                                                     std::size_t* indices, const int* status, \
                                                     int cmp, PARAMETER) { \
    return in_call(__func__, [&] { \
      return condition<TYPE>(member::here(), ivars, nelems, status, cmp, VALUES, IS_VECTOR) \
          .wait_for_some(indices); \
    }); \
  } \
  int shmem_##NAME##_test_all##SUFFIX(TYPE* ivars, std::size_t nelems, const int* status, int cmp, \
                                      PARAMETER) { \
    return in_call(__func__, [&] { \
      member& here = member::here(); \
      const condition<TYPE> c(here, ivars, nelems, status, cmp, VALUES, IS_VECTOR); \
      return tested(here, c.holds_for_all() ? 1 : 0, 0); \
    }); \
  } \
  std::size_t shmem_##NAME##_test_any##SUFFIX(TYPE* ivars, std::size_t nelems, const int* status, \
                                              int cmp, PARAMETER) { \
    return in_call(__func__, [&] { \
      member& here = member::here(); \
      const condition<TYPE> c(here, ivars, nelems, status, cmp, VALUES, IS_VECTOR); \
      return tested(here, c.any(), no_index); \
    }); \
  } \
  std::size_t shmem_##NAME##_test_some##SUFFIX(TYPE* ivars, std::size_t nelems, \
                                               std::size_t* indices, const int* status, int cmp, \
                                               PARAMETER) { \
    return in_call(__func__, [&] { \
      member& here = member::here(); \
      const condition<TYPE> c(here, ivars, nelems, status, cmp, VALUES, IS_VECTOR); \
      return tested(here, c.some(indices), std::size_t{0}); \
    }); \
  }

#define DEFINE_WAIT(OP, NAME, TYPE) \
  void shmem_##NAME##_wait_until(TYPE* ivar, int cmp, TYPE cmp_value) { \
    in_call(__func__, [&] { \
      condition<TYPE>(member::here(), ivar, 1, nullptr, cmp, &cmp_value).wait_for_all(); \
    }); \
  } \
  int shmem_##NAME##_test(TYPE* ivar, int cmp, TYPE cmp_value) { \
    return in_call(__func__, [&] { \
      member& here = member::here(); \
      const condition<TYPE> c(here, ivar, 1, nullptr, cmp, &cmp_value); \
      return tested(here, c.holds_for_all() ? 1 : 0, 0); \
    }); \
  } \
  DEFINE_WAITS(NAME, TYPE, , TYPE cmp_value, &cmp_value, false) \
  DEFINE_WAITS(NAME, TYPE, _vector, TYPE* cmp_values, cmp_values, true)
BOXCAR_SHMEM_SYNC_TYPES(DEFINE_WAIT, )
// clang-format on
