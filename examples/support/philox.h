/* Philox4x32-10 is a counter-based random generator for programs in C and in C++.
 *
 * Number i of a stream is a function of the seed, the stream and i alone. So every PE draws from a
 * stream of its own, and no stream is a shifted copy of another stream. Source: Salmon, Moraes,
 * Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011, section 3.3. */
#ifndef EXAMPLES_SUPPORT_PHILOX_H
#define EXAMPLES_SUPPORT_PHILOX_H

#include <stdint.h>

struct philox_block {
  uint32_t word[4];
};

/* Returns the block of random bits that belongs to a counter and a key. */
static inline struct philox_block philox_4x32_10(struct philox_block counter, uint64_t key) {
  uint32_t key_0 = (uint32_t)key;
  uint32_t key_1 = (uint32_t)(key >> 32);
  struct philox_block x = counter;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product_0 = (uint64_t)0xd2511f53u * x.word[0];
    const uint64_t product_2 = (uint64_t)0xcd9e8d57u * x.word[2];
    const struct philox_block next = {
        {(uint32_t)(product_2 >> 32) ^ x.word[1] ^ key_0, (uint32_t)product_2,
         (uint32_t)(product_0 >> 32) ^ x.word[3] ^ key_1, (uint32_t)product_0}};
    x = next;
    key_0 += 0x9e3779b9u;
    key_1 += 0xbb67ae85u;
  }
  return x;
}

/* Returns a number from 0 to bound - 1 in proportion to 32 random bits. Source: Lemire, Fast random
 * integer generation in an interval, 2019. */
static inline uint32_t philox_below(uint32_t bound, uint32_t random) {
  return (uint32_t)((uint64_t)random * bound >> 32);
}

/* A stream of 64-bit numbers: the seed is the key; the counter is the stream, which is a PE most
 * often, and the position within the stream. A block holds two numbers. */
struct philox_stream {
  uint64_t seed;
  uint64_t stream;
  uint64_t position;
  struct philox_block block;
};

static inline struct philox_stream philox_stream_of(uint64_t seed, uint64_t stream) {
  const struct philox_stream begin = {seed, stream, 0, {{0, 0, 0, 0}}};
  return begin;
}

/* Returns the next number of the stream. */
static inline uint64_t philox_next(struct philox_stream* s) {
  if (s->position % 2 == 0) {
    const uint64_t number = s->position / 2;
    const struct philox_block counter = {{(uint32_t)number, (uint32_t)(number >> 32),
                                          (uint32_t)s->stream, (uint32_t)(s->stream >> 32)}};
    s->block = philox_4x32_10(counter, s->seed);
  }
  const uint32_t* half = s->block.word + 2 * (s->position++ % 2);
  return (uint64_t)half[1] << 32 | half[0];
}

#endif
