#include "zeroed_pages.hpp"

#include <string>
#include <sys/mman.h>

#include <boxcar/error.hpp>

namespace boxcar::python {
namespace {

std::byte* checked(void* pages, std::size_t bytes) {
  if (pages != MAP_FAILED) return static_cast<std::byte*>(pages);
  throw system_error("there are no " + std::to_string(bytes) +
                     " bytes for a larger table of keys: use PEs on more nodes");
}

}  // namespace

void zeroed_pages::unmap::operator()(std::byte* pages) const {
  munmap(pages, bytes);
}

zeroed_pages::zeroed_pages(std::size_t bytes)
    : pages_(
          checked(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                  bytes),
          unmap{bytes}) {}

void zeroed_pages::grow(std::size_t bytes) {
  std::byte* const larger =
      checked(mremap(pages_.get(), pages_.get_deleter().bytes, bytes, MREMAP_MAYMOVE), bytes);
  static_cast<void>(pages_.release());
  pages_ = {larger, unmap{bytes}};
  // Without huge pages an uncached slot misses the TLB, too.
  madvise(larger, bytes, MADV_HUGEPAGE);
}

}  // namespace boxcar::python
