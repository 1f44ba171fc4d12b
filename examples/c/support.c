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

uint64_t seed_of(int pe) {
  return 0x9e3779b97f4a7c15u * (uint64_t)(pe + 1);
}

/* The splitmix64 generator. */
uint64_t next_random(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
