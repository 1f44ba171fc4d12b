// A function with a stack of its own that runs beside the program of a PE, on its thread: wherever
// the function waits the program goes on, and each round of progress of the PE (progress.hpp) lets
// the function go on from there. So what consists of waits, as the making of an object of several
// PEs does, can go on without holding up the program.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::detail {

class progress;

class side_fiber {
 public:
  // By this a function is left whose fiber is destroyed before it has returned.
  struct given_up {};

  // By the PE that has this progress, which lets the function go on from now on. It must not throw.
  side_fiber(progress& pe, std::function<void()> function);
  side_fiber(const side_fiber&) = delete;
  side_fiber& operator=(const side_fiber&) = delete;
  // If the function has not returned it is left by `given_up`.
  ~side_fiber();

  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  friend progress;
  struct contexts;

  // Of the progress: runs the function until it waits or returns.
  void resume();
  // By the function, where it waits: the program goes on.
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
