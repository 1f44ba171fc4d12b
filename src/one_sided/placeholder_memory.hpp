// Memory in place of the program's own, when an exception has ended the program of a PE that other
// PEs may still reach: their requests write there, and read zeros. The pages of large memory are
// taken up only when they are written to.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace boxcar::detail {

class placeholder_memory {
 public:
  // Returns the replacement of `bytes` bytes at `gone`: `gone` if there is no memory.
  [[nodiscard]] std::byte* replace(std::byte* gone, std::size_t bytes) noexcept {
    if (memory_ == nullptr) memory_.reset(static_cast<std::byte*>(std::calloc(bytes + 1, 1)));
    return memory_ == nullptr ? gone : memory_.get();
  }

 private:
  struct freeing {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, freeing> memory_;
};

}  // namespace boxcar::detail
