#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

long number_argument(int argc, char* argv[], int place, long otherwise) {
  if (place >= argc) return otherwise;
  char* end;
  errno = 0;
  const long number = strtol(argv[place], &end, 10);
  if (errno != 0 || *end != '\0' || number < 1) {
    fprintf(stderr, "%s: \"%s\" is not a number of at least 1\n", argv[0], argv[place]);
    exit(2);
  }
  return number;
}

void* grab(unsigned long bytes) {
  void* memory = calloc(bytes, 1);
  if (memory == NULL) {
    fprintf(stderr, "there is no memory for %lu bytes\n", bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

struct philox_stream random_numbers_of(int pe) {
  return philox_stream_of(1, (uint64_t)pe);
}
