// How much memory this process really holds: what it has allocated with `new`, and what the library
// has mapped. (Not the stacks of threads, nor what the C library maps for itself.)
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/world.hpp>

namespace boxcar::test {

[[nodiscard]] std::size_t allocated_bytes();
// The most that was held at once since `restart_peak`.
[[nodiscard]] std::size_t peak_bytes();
void restart_peak();

// What has been allocated since it was made and is still held, in bytes for each PE of a world of
// threads, if all PEs do the same. All functions are collective.
class allocation_meter {
 public:
  explicit allocation_meter(world& w) : world_(w), before_(now()) {}

  [[nodiscard]] std::int64_t held_per_pe() const { return (now() - before_) / world_.size(); }

 private:
  // While nobody is doing anything.
  [[nodiscard]] std::int64_t now() const {
    world_.barrier();
    const auto bytes = static_cast<std::int64_t>(allocated_bytes());
    world_.barrier();
    return bytes;
  }

  world& world_;
  std::int64_t before_;
};

}  // namespace boxcar::test
