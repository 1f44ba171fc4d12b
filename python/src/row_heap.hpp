// The bytes of the keys of a table, if keys are no numbers. Each row has a length of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace boxcar::python {

class row_heap {
 public:
  // Returns the offset of a copy of the row. Precondition: a row has less than 2^32 bytes.
  std::uint64_t add(std::span<const std::byte> row) {
    const std::uint64_t offset = bytes_.size();
    const auto length = static_cast<std::uint32_t>(row.size());
    bytes_.resize(offset + sizeof length + row.size());
    std::memcpy(bytes_.data() + offset, &length, sizeof length);
    if (length != 0) std::memcpy(bytes_.data() + offset + sizeof length, row.data(), length);
    return offset;
  }
  [[nodiscard]] std::span<const std::byte> row(std::uint64_t offset) const {
    std::uint32_t length;
    std::memcpy(&length, bytes_.data() + offset, sizeof length);
    return {bytes_.data() + offset + sizeof length, length};
  }

  // Counts the row as dead. Its bytes stay until the owner of the heap copies all other rows.
  void drop(std::uint64_t offset) { dead_ += row(offset).size() + sizeof(std::uint32_t); }
  [[nodiscard]] bool is_mostly_dead() const {
    return dead_ > min_dead_bytes && 2 * dead_ > bytes_.size();
  }

 private:
  static constexpr std::size_t min_dead_bytes = 4096;

  std::vector<std::byte> bytes_;
  std::size_t dead_ = 0;
};

}  // namespace boxcar::python
