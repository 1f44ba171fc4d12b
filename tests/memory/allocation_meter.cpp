#include "memory/allocation_meter.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

namespace boxcar::test {
namespace {

std::atomic<std::size_t> allocated{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  allocated += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

std::size_t allocated_bytes() {
  return allocated;
}

}  // namespace boxcar::test

// All other forms of `new` and `delete` end in these.
void* operator new(std::size_t bytes) {
  return boxcar::test::counted(std::malloc(bytes == 0 ? 1 : bytes));
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto line = static_cast<std::size_t>(alignment);
  return boxcar::test::counted(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}

void operator delete(void* memory) noexcept {
  boxcar::test::release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  boxcar::test::release(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
  boxcar::test::release(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  boxcar::test::release(memory);
}

// The linker puts these between the library and the C library's functions (--wrap).
extern "C" {

void* __real_mmap(void* where, std::size_t bytes, int access, int flags, int file, off_t offset);
int __real_munmap(void* memory, std::size_t bytes);

void* __wrap_mmap(void* where, std::size_t bytes, int access, int flags, int file, off_t offset) {
  void* memory = __real_mmap(where, bytes, access, flags, file, offset);
  if (memory != MAP_FAILED) boxcar::test::allocated += bytes;
  return memory;
}

int __wrap_munmap(void* memory, std::size_t bytes) {
  boxcar::test::allocated -= bytes;
  return __real_munmap(memory, bytes);
}
}
