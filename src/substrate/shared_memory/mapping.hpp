// A range of mapped pages.
#pragma once

#include <cstddef>

namespace boxcar::detail {

class mapping {
 public:
  // Returns zeroed pages of this process. Throws shortage, system_error.
  static mapping anonymous(std::size_t bytes);
  // Returns zeroed pages, mostly never touched: the machine may have less memory. Throws shortage,
  // system_error.
  static mapping sparse(std::size_t bytes);
  // Returns the pages of an open file, shared with all other mappings of the file. Throws shortage,
  // system_error.
  static mapping of_file(int descriptor, std::size_t bytes);

  mapping(mapping&& other) noexcept;
  mapping& operator=(mapping&&) = delete;
  ~mapping();

  // Asks for large pages: memory near a touched page then takes memory as well.
  void prefer_large_pages() const;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  mapping(std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  static mapping map(int descriptor, int flags, std::size_t bytes);

  std::byte* data_;
  std::size_t bytes_;
};

}  // namespace boxcar::detail
