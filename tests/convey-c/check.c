#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <boxcar_world.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../examples/support/philox.h"

static int failures;

static void fail(const char* file, int line) {
  ++failures;
  fprintf(stderr, "PE %d: %s:%d: ", boxcar_my_pe(), file, line);
}

void check_true(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  fail(file, line);
  fprintf(stderr, "%s does not hold\n", what);
}

void check_equal(int64_t actual, int64_t expected, const char* what, const char* file, int line) {
  if (actual == expected) return;
  fail(file, line);
  fprintf(stderr, "%s is %" PRId64 ", not %" PRId64 "\n", what, actual, expected);
}

int verdict(void) {
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int real_stderr = -1;
static FILE* caught;
static char text[1 << 16];

void capture_messages(void) {
  fflush(stderr);
  caught = tmpfile();
  real_stderr = dup(STDERR_FILENO);
  if (caught == NULL || real_stderr < 0) abort();
  dup2(fileno(caught), STDERR_FILENO);
}

const char* captured_messages(void) {
  fflush(stderr);
  dup2(real_stderr, STDERR_FILENO);
  close(real_stderr);
  rewind(caught);
  text[fread(text, 1, sizeof text - 1, caught)] = '\0';
  fclose(caught);
  return text;
}

int occurrences(const char* in, const char* part) {
  int n = 0;
  for (const char* at = strstr(in, part); at != NULL; at = strstr(at + 1, part)) ++n;
  return n;
}

static struct philox_stream random_numbers;

void seed_random(uint64_t seed) {
  random_numbers = philox_stream_of(1, seed);
}

uint64_t random_number(void) {
  return philox_next(&random_numbers);
}
