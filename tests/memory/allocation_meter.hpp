// Measures the memory of the process: memory allocated with `new`, and memory mapped by the
// library. (Without the stacks of threads, and mappings of the C library for itself.)
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/world.hpp>

namespace boxcar::test {

[[nodiscard]] std::size_t allocated_bytes();
// The maximum since `restart_peak`.
[[nodiscard]] std::size_t peak_bytes();
void restart_peak();

// Measures the memory allocated since the meter was made and still held, in bytes for each PE of a
// world of threads, if all PEs do the same. All functions are collective.
class allocation_meter {
 public:
  explicit allocation_meter(world& w) : world_(w), before_(now()) {}

  [[nodiscard]] std::int64_t held_per_pe() const { return (now() - before_) / world_.size(); }

 private:
  // The measurement happens while all PEs are idle.
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
