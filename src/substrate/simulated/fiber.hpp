// A function with a stack of its own that gives the thread back whenever it likes, and goes on when
// it is resumed. Exceptions that are being handled or thrown are the fiber's, as a thread's are.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

#include "substrate/fiber_exceptions.hpp"

namespace boxcar::detail {

class fiber {
 public:
  // `function` must not throw, and must have returned before this is destroyed.
  fiber(std::byte* bottom_of_stack, std::size_t stack_bytes, std::function<void()> function);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Runs it until it pauses or returns; to be called by whoever is outside.
  void resume();
  // Gives the thread back to whoever has resumed it; to be called by the function.
  void pause();
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  fiber_exceptions exceptions_;
  bool is_over_ = false;
};

}  // namespace boxcar::detail
