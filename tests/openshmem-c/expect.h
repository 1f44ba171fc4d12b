/* Expectations, whose failures are counted where they are used: `EXPECT_EQUAL(wrong, a, b)`. */
#ifndef TESTS_OPENSHMEM_C_EXPECT_H
#define TESTS_OPENSHMEM_C_EXPECT_H

#include <shmem.h>
#include <stdio.h>

#define EXPECT_EQUAL(wrong, actual, expected)                                                    \
  do {                                                                                           \
    const long long actual_ = (long long)(actual), expected_ = (long long)(expected);            \
    if (actual_ != expected_) {                                                                  \
      fprintf(stderr, "PE %d: %s:%d: %s is %lld, not %lld\n", shmem_my_pe(), __FILE__, __LINE__, \
              #actual, actual_, expected_);                                                      \
      ++(wrong);                                                                                 \
    }                                                                                            \
  } while (0)

#endif
