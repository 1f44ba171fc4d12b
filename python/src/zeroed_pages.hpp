// Memory of a hash table: pages of zeros, which grow in place.
#pragma once

#include <cstddef>
#include <memory>

namespace boxcar::python {

class zeroed_pages {
 public:
  // All functions throw system_error if there is no memory.
  explicit zeroed_pages(std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return pages_.get(); }
  // Adds zeros behind the present bytes. The pages may move.
  void grow(std::size_t bytes);

 private:
  struct unmap {
    std::size_t bytes;
    void operator()(std::byte* pages) const;
  };

  std::unique_ptr<std::byte[], unmap> pages_;
};

}  // namespace boxcar::python
