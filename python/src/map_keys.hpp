// The keys of a call of a map, as they travel: numbers as words of 64 bits, and other keys as rows
// of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "arrays.hpp"

namespace boxcar::python {

class map_keys {
 public:
  // `type` is the type of numbers, or "" for rows of `row_bytes`. `keys` outlives the object.
  map_keys(std::string_view type, const read_bytes& keys, std::size_t row_bytes);

  [[nodiscard]] std::size_t count() const { return count_; }
  // The size of a key that travels.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Writes the keys from `first` on, `stride` bytes apart, and for each the owner out of `pes` PEs.
  void write(std::size_t first, std::byte* into, std::size_t stride, std::uint64_t pes,
             std::span<std::int32_t> owners) const {
    write_(first, into, stride, pes, owners);
  }

 private:
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::function<void(std::size_t first, std::byte* into, std::size_t stride, std::uint64_t pes,
                     std::span<std::int32_t> owners)>
      write_;
};

// Sets the elements of an array of numbers to the keys that the words stand for.
void keys_of_words(std::string_view type, std::span<const std::uint64_t> words,
                   const written_bytes& keys);

}  // namespace boxcar::python
