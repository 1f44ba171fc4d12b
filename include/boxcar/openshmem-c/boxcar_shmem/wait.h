/* The header declares the functions to wait for, or to test, variables of the calling PE, written
 * by other PEs. A waiting function serves other PEs meanwhile. Source: OpenSHMEM 1.5, section 9.10.
 */
#ifndef BOXCAR_SHMEM_WAIT_H
#define BOXCAR_SHMEM_WAIT_H

#include "types.h"

BOXCAR_SHMEM_BEGIN

/* `status`, unless NULL, excludes the variables with a status other than 0. If all variables are
 * excluded, `_any` functions return SIZE_MAX, `_some` functions return 0, and `_test_all` functions
 * return 1. If no condition holds, `_test_any` functions return SIZE_MAX, and `_test_some`
 * functions return 0. `_vector` functions compare each variable with a separate value. */
/* clang-format off */
#define BOXCAR_SHMEM_DECLARE_WAIT(OP, NAME, TYPE) \
  void shmem_##NAME##_wait_until(TYPE* ivar, int cmp, TYPE cmp_value); \
  int shmem_##NAME##_test(TYPE* ivar, int cmp, TYPE cmp_value); \
  void shmem_##NAME##_wait_until_all(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                     TYPE cmp_value); \
  size_t shmem_##NAME##_wait_until_any(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                       TYPE cmp_value); \
  size_t shmem_##NAME##_wait_until_some(TYPE* ivars, size_t nelems, size_t* indices, \
                                        const int* status, int cmp, TYPE cmp_value); \
  int shmem_##NAME##_test_all(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                              TYPE cmp_value); \
  size_t shmem_##NAME##_test_any(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                 TYPE cmp_value); \
  size_t shmem_##NAME##_test_some(TYPE* ivars, size_t nelems, size_t* indices, const int* status, \
                                  int cmp, TYPE cmp_value); \
  void shmem_##NAME##_wait_until_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                            TYPE* cmp_values); \
  size_t shmem_##NAME##_wait_until_any_vector(TYPE* ivars, size_t nelems, const int* status, \
                                              int cmp, TYPE* cmp_values); \
  size_t shmem_##NAME##_wait_until_some_vector(TYPE* ivars, size_t nelems, size_t* indices, \
                                               const int* status, int cmp, TYPE* cmp_values); \
  int shmem_##NAME##_test_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                     TYPE* cmp_values); \
  size_t shmem_##NAME##_test_any_vector(TYPE* ivars, size_t nelems, const int* status, int cmp, \
                                        TYPE* cmp_values); \
  size_t shmem_##NAME##_test_some_vector(TYPE* ivars, size_t nelems, size_t* indices, \
                                         const int* status, int cmp, TYPE* cmp_values);
BOXCAR_SHMEM_SYNC_TYPES(BOXCAR_SHMEM_DECLARE_WAIT, )
/* clang-format on */

BOXCAR_SHMEM_END

#endif
