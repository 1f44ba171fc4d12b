// Stores an exception thrown by a function of the program that runs on behalf of an object while
// the PE waits for anything. The object rethrows the exception when the PE waits for the object;
// unrelated waits continue.
//
// The function is called under the engine's lock, by the PE or its progress thread; the PE queries
// the exception.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Thrown by the function of a run that the program has given up, and by no function of the program:
// no error of the world.
class given_up_run final : public contract_error {
 public:
  using contract_error::contract_error;
};

class thrown_by_function {
 public:
  // Returns false if the function has thrown.
  bool call(const std::function<void()>& function) noexcept {
    try {
      progress::of_this_pe().call(function);
      return true;
    } catch (...) {
      has_thrown_.store(true, std::memory_order_relaxed);
      if (has_come()) return false;
      problem_ = std::current_exception();
      has_come_.store(true, std::memory_order_release);  // publishes problem_ to the PE
      return false;
    }
  }
  // Returns whether a function has thrown, its work is not done, and the PE has not got the
  // exception yet.
  [[nodiscard]] bool has_come() const { return has_come_.load(std::memory_order_acquire); }
  // Returns whether a function has thrown and the PE has got the exception.
  [[nodiscard]] bool is_rethrown() const {
    return has_thrown_.load(std::memory_order_relaxed) && !has_come();
  }
  void rethrow() {
    if (!has_come()) return;
    const std::exception_ptr problem = std::exchange(problem_, nullptr);
    has_come_.store(false, std::memory_order_release);  // problem_ is free for the next exception
    std::rethrow_exception(problem);
  }
  // Reports the exception as an error of the world, as the PE does not wait for the object any
  // more.
  void report(substrate& world) noexcept {
    try {
      rethrow();
    } catch (const given_up_run&) {
      // The program has got the exception for which the run was given up.
    } catch (const std::exception& e) {
      world.fail_unheard(e.what());
    } catch (...) {
      world.fail_unheard("threw something that is no std::exception");
    }
  }

 private:
  std::atomic<bool> has_thrown_ = false;
  std::atomic<bool> has_come_ = false;
  std::exception_ptr problem_;
};

}  // namespace boxcar::detail
