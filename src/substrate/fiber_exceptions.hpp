// The exceptions that a fiber throws and handles. The C++ runtime keeps the state of exceptions for
// each thread, and a thread that switches between fibers switches the state with them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cxxabi.h>
#include <span>

namespace boxcar::detail {

class fiber_exceptions {
 public:
  // Exchanges the state of the fiber and the state of the thread. The caller calls swap before the
  // thread switches to the fiber, and again when the thread has switched back.
  void swap_with_thread() {
    auto* const of_thread = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
    std::ranges::swap_ranges(of_fiber_, std::span(of_thread, of_fiber_.size()));
  }

 private:
  // The layout of the C++ ABI of GCC and Clang.
  struct state {
    void* caught;
    unsigned int uncaught;
  };
  std::array<std::byte, sizeof(state)> of_fiber_{};
};

}  // namespace boxcar::detail
