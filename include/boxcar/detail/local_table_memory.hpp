// The memory of a local table: one area of address space for each segment. The operating system
// gives memory to the pages that are written, and to no others. So a segment grows in place, and no
// memory is lost between segments, as in a heap in which all blocks grow.
#pragma once

#include <cstddef>
#include <utility>

namespace boxcar::detail {

class local_table_memory {
 public:
  local_table_memory() = default;
  // Throws std::bad_alloc.
  local_table_memory(std::size_t areas, std::size_t area_bytes);
  local_table_memory(local_table_memory&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)),
        areas_(std::exchange(other.areas_, 0)),
        area_bytes_(std::exchange(other.area_bytes_, 0)) {}
  local_table_memory& operator=(local_table_memory&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(areas_, other.areas_);
    std::swap(area_bytes_, other.area_bytes_);
    return *this;
  }
  ~local_table_memory();

  [[nodiscard]] std::size_t area_bytes() const { return area_bytes_; }
  // Returns an area, aligned to a page.
  [[nodiscard]] std::byte* area(std::size_t number) const { return first_ + number * area_bytes_; }
  // Gives the memory of an area back to the operating system; the address space remains.
  void release(std::size_t number);

  // Returns the bytes of the machine's memory.
  [[nodiscard]] static std::size_t physical_bytes();
  // Returns the bytes, rounded up to whole pages.
  [[nodiscard]] static std::size_t whole_pages(std::size_t bytes);

 private:
  std::byte* first_ = nullptr;
  std::size_t areas_ = 0;
  std::size_t area_bytes_ = 0;
};

}  // namespace boxcar::detail
