#include "memory/allocation_meter.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace boxcar::test {
namespace {

std::atomic<std::size_t> allocated{0};
std::atomic<std::size_t> peak{0};

void count(std::size_t bytes) {
  const std::size_t now = allocated += bytes;
  std::size_t most = peak;
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}

// The meter counts requested sizes, as they are the same each time; the surplus of the C library
// depends on memory released by other threads. The size stands in front of the memory, in a prefix
// large enough for the alignment.
constexpr std::size_t room_for_size(std::size_t alignment) {
  return std::max(alignment, std::size_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__});
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t front = room_for_size(alignment);
  void* memory = std::aligned_alloc(front, (front + bytes + front - 1) / front * front);
  if (memory == nullptr) throw std::bad_alloc();
  std::memcpy(memory, &bytes, sizeof bytes);
  count(bytes);
  return static_cast<std::byte*>(memory) + front;
}

void release(void* memory, std::size_t alignment) {
  if (memory == nullptr) return;
  void* const begin = static_cast<std::byte*>(memory) - room_for_size(alignment);
  std::size_t bytes = 0;
  std::memcpy(&bytes, begin, sizeof bytes);
  allocated -= bytes;
  std::free(begin);
}

}  // namespace

std::size_t allocated_bytes() {
  return allocated;
}

std::size_t peak_bytes() {
  return peak;
}

void restart_peak() {
  peak = allocated.load();
}

}  // namespace boxcar::test

// All other forms of `new` and `delete` end in these.
void* operator new(std::size_t bytes) {
  return boxcar::test::allocate(bytes, 1);
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return boxcar::test::allocate(bytes, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept {
  boxcar::test::release(memory, 1);
}

void operator delete(void* memory, std::size_t) noexcept {
  boxcar::test::release(memory, 1);
}

void operator delete(void* memory, std::align_val_t alignment) noexcept {
  boxcar::test::release(memory, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
  boxcar::test::release(memory, static_cast<std::size_t>(alignment));
}

// The linker puts these between the library and the C library's functions (--wrap).
extern "C" {

void* __real_mmap(void* where, std::size_t bytes, int access, int flags, int file, off_t offset);
int __real_munmap(void* memory, std::size_t bytes);

void* __wrap_mmap(void* where, std::size_t bytes, int access, int flags, int file, off_t offset) {
  void* memory = __real_mmap(where, bytes, access, flags, file, offset);
  if (memory != MAP_FAILED) boxcar::test::count(bytes);
  return memory;
}

int __wrap_munmap(void* memory, std::size_t bytes) {
  boxcar::test::allocated -= bytes;
  return __real_munmap(memory, bytes);
}
}
