// Two means to put elements into the memory of another PE with a notification of the arrival. A PE
// gets notifications from one other PE only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar::bench {

// Counting puts (counting-puts-2014).
template <typename T>
class counting_puts {
 public:
  static constexpr const char* name = "counting_put";

  counting_puts(const world& w, std::size_t elements) : memory_(w, elements), counter_(w) {}

  // Precondition: nothing has been put for the PE yet.
  void begin() {
    counter_.set(0);
    arrived_ = 0;
  }
  void put(const T& value, int pe, std::size_t index) { memory_.put(value, pe, index, counter_); }
  void put(std::span<const T> values, int pe, std::size_t index) {
    memory_.put(values, pe, index, counter_);
  }
  // Earlier puts count before later puts.
  void fence() { memory_.fence(); }
  void flush() { memory_.flush(); }

  // Returns when one put more has arrived than at the last call.
  void wait() { counter_.wait(++arrived_); }
  [[nodiscard]] std::span<const T> here() const { return memory_.local(); }

 private:
  window<T> memory_;
  counter counter_;
  std::int64_t arrived_ = 0;
};

// A put, and behind a fence a flag.
template <typename T>
class puts_and_flags {
 public:
  static constexpr const char* name = "put_and_flag";

  puts_and_flags(const world& w, std::size_t elements) : memory_(w, elements), flag_(w, 1) {}

  void begin() {
    flag_.local()[0] = 0;
    sent_ = arrived_ = 0;
  }
  void put(const T& value, int pe, std::size_t index) {
    memory_.put(value, pe, index);
    raise_flag(pe);
  }
  void put(std::span<const T> values, int pe, std::size_t index) {
    memory_.put(values, pe, index);
    raise_flag(pe);
  }
  // The fence before each flag suffices.
  void fence() {}
  void flush() { memory_.flush(); }

  void wait() {
    flag_.wait_until(0, [n = ++arrived_](std::uint64_t seen) { return seen >= n; });
  }
  [[nodiscard]] std::span<const T> here() const { return memory_.local(); }

 private:
  void raise_flag(int pe) {
    memory_.fence();
    flag_.store(++sent_, pe, 0);
  }

  window<T> memory_;
  window<std::uint64_t> flag_;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
};

}  // namespace boxcar::bench
