// Memory of an exact size: AddressSanitizer sees every access beyond the end, and without sanitizer
// a seam of known bytes on either side is checked in the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

#include "support/sanitizers.hpp"

namespace boxcar::test {

class exact_memory {
 public:
  explicit exact_memory(std::size_t bytes, std::byte content = std::byte{0xa5})
      : memory_(bytes + 2 * seam, sewn) {
    std::fill_n(data(), bytes, content);
  }
  exact_memory(const exact_memory&) = delete;
  exact_memory& operator=(const exact_memory&) = delete;
  ~exact_memory() {
    EXPECT_EQ(std::count(memory_.begin(), memory_.begin() + seam, sewn), std::ptrdiff_t{seam});
    EXPECT_EQ(std::count(memory_.end() - seam, memory_.end(), sewn), std::ptrdiff_t{seam});
  }

  [[nodiscard]] std::byte* data() { return memory_.data() + seam; }
  [[nodiscard]] std::size_t bytes() const { return memory_.size() - 2 * seam; }

 private:
  static constexpr int seam = with_address_sanitizer ? 0 : 64;
  static constexpr std::byte sewn{0x5a};
  std::vector<std::byte> memory_;
};

}  // namespace boxcar::test
