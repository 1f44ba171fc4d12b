// Transfers between symmetric memory of PEs: the puts, gets and atomic operations of all families
// of functions. Functions are local, belong to the PE's thread, and throw argument_error if a PE,
// an address or a context is none.
#pragma once

#include <cstddef>

#include <boxcar/detail/atomics.hpp>
#include <boxcar/openshmem-c/shmem.h>

#include "openshmem-c/member.hpp"

namespace boxcar::openshmem_c {

// Returns the number of bytes; more than any memory has if the product overflows.
constexpr std::size_t bytes_of(std::size_t nelems, std::size_t size) {
  return nelems > static_cast<std::size_t>(-1) / size ? static_cast<std::size_t>(-1)
                                                      : nelems * size;
}

// Returns the member after serving other PEs: programs poll memory written by other PEs, with gets
// and atomic operations.
member& serving_member();

// Returns the number in the world of a PE of a context.
int pe_of(member& here, shmem_ctx_t ctx, int pe);

// Puts and gets `bytes` bytes. A word of 1, 2, 4 or 8 bytes is written and read in one piece. A get
// without `waits` ends with the next quiet.
void put(member& here, void* dest, const void* source, std::size_t bytes, int pe);
void get(member& here, void* dest, const void* source, std::size_t bytes, int pe, bool waits);

struct strided {
  std::ptrdiff_t dst;  // strides of the target and of the source, in elements
  std::ptrdiff_t sst;
  std::size_t elements;
  std::size_t element_bytes;
};
void put_strided(member& here, void* dest, const void* source, const strided& s, int pe);
void get_strided(member& here, void* dest, const void* source, const strided& s, int pe);

// An atomic operation on a word of `bytes` bytes, 1, 2, 4 or 8.
struct word_update {
  detail::atomic_operation what;
  std::size_t bytes;
  const void* value = nullptr;     // nullptr: 0
  const void* expected = nullptr;  // of a compare_swap
  void* before = nullptr;          // receives the former value, unless nullptr
};
void update(member& here, void* dest, const word_update& u, int pe);

}  // namespace boxcar::openshmem_c
