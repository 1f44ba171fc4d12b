// The address space of local tables, by mmap.
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <boxcar/detail/local_table_memory.hpp>

namespace boxcar::detail {

local_table_memory::local_table_memory(std::size_t areas, std::size_t area_bytes)
    : areas_(areas), area_bytes_(whole_pages(area_bytes)) {
  void* const memory = mmap(nullptr, areas_ * area_bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  first_ = static_cast<std::byte*>(memory);
  // Huge pages would give memory to the unused ends of areas. (Where there are no huge pages, the
  // advice fails, and nothing is lost.)
  static_cast<void>(madvise(memory, areas_ * area_bytes_, MADV_NOHUGEPAGE));
}

local_table_memory::~local_table_memory() {
  if (first_ != nullptr) munmap(first_, areas_ * area_bytes_);
}

void local_table_memory::release(std::size_t number) {
  madvise(area(number), area_bytes_, MADV_DONTNEED);
}

std::size_t local_table_memory::physical_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t local_table_memory::whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace boxcar::detail
