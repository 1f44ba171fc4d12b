#include "substrate/shared_memory/mapping.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <utility>

#include "substrate/memory_errors.hpp"

namespace boxcar::detail {

mapping mapping::map(int descriptor, int flags, std::size_t bytes) {
  const std::size_t at_least_one = std::max<std::size_t>(bytes, 1);
  void* data = mmap(nullptr, at_least_one, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  if (data == MAP_FAILED) {
    const int why = errno;
    const std::string text =
        "cannot map " + std::to_string(bytes) + " bytes of memory: " + std::strerror(why);
    if (why != ENOMEM) throw system_error(text);
    throw shortage(text + "; take less, or raise vm.max_map_count (sysctl)");
  }
  return {static_cast<std::byte*>(data), bytes};
}

mapping mapping::anonymous(std::size_t bytes) {
  return map(-1, MAP_PRIVATE | MAP_ANONYMOUS, bytes);
}

mapping mapping::sparse(std::size_t bytes) {
  return map(-1, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, bytes);
}

void mapping::prefer_large_pages() const {
  static_cast<void>(madvise(data_, bytes_, MADV_HUGEPAGE));  // a failure only costs time
}

mapping mapping::of_file(int descriptor, std::size_t bytes) {
  return map(descriptor, MAP_SHARED, bytes);
}

mapping::mapping(mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

mapping::~mapping() {
  if (data_ != nullptr) munmap(data_, std::max<std::size_t>(bytes_, 1));
}

}  // namespace boxcar::detail
