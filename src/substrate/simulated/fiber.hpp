// A fiber is a function with a stack of its own that may give the thread back at any time, and goes
// on when the fiber is resumed. Each fiber has its own exceptions in flight, as a thread has.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

#include "substrate/fiber_exceptions.hpp"

namespace boxcar::detail {

class fiber {
 public:
  // `function` must not throw. Precondition of the destructor: `function` has returned.
  fiber(std::byte* bottom_of_stack, std::size_t stack_bytes, std::function<void()> function);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Runs the function until it pauses or returns. Called from outside of the fiber.
  void resume();
  // Gives the thread back to the caller of `resume`. Called by the function.
  void pause();
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  fiber_exceptions exceptions_;
  bool is_over_ = false;
};

}  // namespace boxcar::detail
