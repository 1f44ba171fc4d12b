// What a function of the program throws, when it is called on behalf of an object while the PE
// waits for anything at all: kept for the object, which throws it when the PE waits for that. So
// what has nothing to do with it goes on.
//
// Called under the desk's lock, by the PE or its helper; asked by the PE.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <utility>

#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class thrown_by_function {
 public:
  // False if it has thrown.
  bool call(const std::function<void()>& function) noexcept {
    try {
      progress::of_this_pe().call(function);
      return true;
    } catch (...) {
      has_thrown_.store(true, std::memory_order_relaxed);
      if (has_come()) return false;
      problem_ = std::current_exception();
      has_come_.store(true, std::memory_order_release);  // publishes it to the PE
      return false;
    }
  }
  // A function has thrown, so that what it was to do has not been done, and the PE has not heard of
  // it;
  [[nodiscard]] bool has_come() const { return has_come_.load(std::memory_order_acquire); }
  // or it has.
  [[nodiscard]] bool is_told() const {
    return has_thrown_.load(std::memory_order_relaxed) && !has_come();
  }
  void rethrow() {
    if (!has_come()) return;
    const std::exception_ptr told = std::exchange(problem_, nullptr);
    has_come_.store(false, std::memory_order_release);  // there is room for the next one
    std::rethrow_exception(told);
  }
  // Nobody waits any more: it is an error of the world.
  void tell(substrate& world) noexcept {
    try {
      rethrow();
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
