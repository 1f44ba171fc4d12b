/* Expectations of the tests in C. A test calls all possible expectations and returns
 * `verdict()`. */
#ifndef TESTS_CONVEY_C_CHECK_H
#define TESTS_CONVEY_C_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQUAL(actual, expected) \
  check_equal((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)

void check_true(bool holds, const char* what, const char* file, int line);
void check_equal(int64_t actual, int64_t expected, const char* what, const char* file, int line);

/* The exit status of the program. */
int verdict(void);

/* Captures standard error between the two calls. Captures do not nest; the text stays until the
 * next capture begins. */
void capture_messages(void);
const char* captured_messages(void);

/* Returns the number of occurrences of `part` in `text`. */
int occurrences(const char* text, const char* part);

/* Reproducible. */
uint64_t random_number(void);
void seed_random(uint64_t seed);

#endif
