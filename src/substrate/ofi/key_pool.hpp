// The keys of registered memory, where the provider lets the PE choose keys (no FI_MR_PROV_KEY).
// Keys are random numbers, so memory cannot be found without the key. Keys in use are distinct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace boxcar::detail::ofi {

class key_pool {
 public:
  // Keys have `key_bytes` bytes; 0 means 8.
  explicit key_pool(std::size_t key_bytes);

  // Returns nullopt if all keys are in use. Throws system_error.
  [[nodiscard]] std::optional<std::uint64_t> take();
  void give_back(std::uint64_t key) { in_use_.erase(key); }

 private:
  std::uint64_t largest_;
  std::unordered_set<std::uint64_t> in_use_;
};

}  // namespace boxcar::detail::ofi
