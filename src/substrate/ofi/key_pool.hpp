// The keys under which a PE registers memory, where the provider lets it choose them: random
// numbers, so that whoever is not told a key does not find the memory. No two that are in use are
// equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace boxcar::detail::ofi {

class key_pool {
 public:
  // Keys of so many bytes; 0: of 8.
  explicit key_pool(std::size_t key_bytes);

  // None if all are in use. Throws system_error.
  [[nodiscard]] std::optional<std::uint64_t> take();
  void give_back(std::uint64_t key) { in_use_.erase(key); }

 private:
  std::uint64_t largest_;
  std::unordered_set<std::uint64_t> in_use_;
};

}  // namespace boxcar::detail::ofi
