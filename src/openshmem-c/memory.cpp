// The functions of shmem.h for symmetric memory.
#include <bit>

#include "openshmem-c/call.hpp"
#include "openshmem-c/group_collectives.hpp"

namespace boxcar::openshmem_c {
namespace {

constexpr std::size_t any_alignment = 1;

void* allocate_in_call(std::size_t size, std::size_t alignment, bool zeroed, const char* function) {
  return in_call(function, [&]() -> void* {
    if (!std::has_single_bit(alignment)) return nullptr;
    return meet().allocate(size, alignment, zeroed);
  });
}

}  // namespace
}  // namespace boxcar::openshmem_c

using namespace boxcar::openshmem_c;  // NOLINT: the functions of C are in no namespace

void* shmem_malloc(std::size_t size) {
  return allocate_in_call(size, any_alignment, false, __func__);
}

void* shmem_calloc(std::size_t count, std::size_t size) {
  const std::size_t bytes = size == 0 ? 0 : bytes_of(count, size);
  return allocate_in_call(bytes, any_alignment, true, __func__);
}

void* shmem_align(std::size_t alignment, std::size_t size) {
  return allocate_in_call(size, alignment, false, __func__);
}

void* shmem_malloc_with_hints(std::size_t size, long) {
  return allocate_in_call(size, any_alignment, false, __func__);
}

void* shmem_realloc(void* memory, std::size_t size) {
  return in_call(__func__, [&] { return meet().reallocate(memory, size); });
}

void shmem_free(void* memory) {
  in_call(__func__, [&] { meet().release(memory); });
}
