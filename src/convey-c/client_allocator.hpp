// The adapter from a client's allocator to an allocator of Boxcar.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/allocator.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

class client_allocator final : public allocator {
 public:
  // The constructor copies `functions`; with nullptr the allocator must not be used.
  explicit client_allocator(const convey_alc8r_t* functions)
      : functions_(functions == nullptr ? convey_alc8r_t{} : *functions) {}

  [[nodiscard]] allocator* or_null() { return functions_.grab == nullptr ? nullptr : this; }

  [[nodiscard]] void* grab(std::size_t bytes, const char* purpose) override {
    return functions_.grab(functions_.alc8r, bytes, purpose, grabbed_++);
  }
  void free(void* memory) noexcept override { functions_.free(functions_.alc8r, memory); }

 private:
  convey_alc8r_t functions_;
  std::uint64_t grabbed_ = 0;
};

}  // namespace boxcar::convey_c
