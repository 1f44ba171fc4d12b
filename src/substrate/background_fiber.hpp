// A fiber that runs a function in the background of a PE, on the thread of the PE and on a stack of
// its own. When the function waits, the fiber yields to the program. Each round of progress of the
// PE (progress.hpp) resumes the fiber. A collective construction, which mostly waits for other PEs,
// can so make progress without blocking the program.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::detail {

class progress;

class background_fiber {
 public:
  // The exception that unwinds the function when the fiber is destroyed before the function
  // returns.
  struct given_up {};

  // Called on the thread of the PE. The progress engine `pe` resumes the fiber from now on. The
  // function must not throw.
  background_fiber(progress& pe, std::function<void()> function);
  background_fiber(const background_fiber&) = delete;
  background_fiber& operator=(const background_fiber&) = delete;
  // Unwinds the function by given_up if the function has not returned.
  ~background_fiber();

  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  friend progress;
  struct contexts;

  // Runs the function until the function waits or returns. Called by the progress engine.
  void resume();
  // Switches back to the program. Called on the stack of the fiber.
  void pause();
  void run() noexcept;
  static void enter(unsigned int high, unsigned int low);
  void release_stack();

  progress& pe_;
  std::function<void()> function_;
  current_call call_;
  bool is_over_ = false;
  bool waits_unrung_ = false;
  bool is_given_up_ = false;
  std::unique_ptr<contexts> contexts_;
};

}  // namespace boxcar::detail
