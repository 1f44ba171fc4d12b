// Conditions on variables of the PE, written by remote PEs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <boxcar/detail/atomics.hpp>
#include <boxcar/error.hpp>

#include "openshmem-c/transfer.hpp"

namespace boxcar::openshmem_c {

inline constexpr std::size_t no_index = SIZE_MAX;

// A condition on each of `size` variables: comparison `cmp` with the variable's value. A status
// other than 0 excludes a variable. Functions are local and belong to the PE's thread.
template <typename T>
class condition {
 public:
  // `value`: of all variables, or of each variable if `is_vector`. Throws argument_error if the
  // variables are not symmetric, or the comparison is none.
  condition(member& here, const T* variables, std::size_t size, const int* status, int cmp,
            const T* value, bool is_vector = false)
      : here_(here),
        variables_(variables),
        size_(size),
        status_(status),
        cmp_(cmp),
        value_(value),
        is_vector_(is_vector) {
    if (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_GE) {
      throw argument_error("there is no comparison " + std::to_string(cmp) +
                           ": give one of SHMEM_CMP_EQ, NE, GT, LE, LT, GE");
    }
    if (size != 0) {
      static_cast<void>(here.locate(variables, bytes_of(size, sizeof(T)), "the variable"));
    }
  }

  [[nodiscard]] bool holds_for_all() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!is_excluded(i) && !holds(i)) return false;
    }
    return true;
  }
  // Returns the index of a variable for which the condition holds, or `no_index`. Each search
  // begins behind the variable found last, so that every variable has its turn.
  [[nodiscard]] std::size_t any() const {
    const std::size_t first = size_ == 0 ? 0 : here_.first_to_test() % size_;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t at = first + i < size_ ? first + i : first + i - size_;
      if (is_excluded(at) || !holds(at)) continue;
      here_.set_first_to_test(at + 1);
      return at;
    }
    return no_index;
  }
  // Writes the indices of all variables for which the condition holds; returns the number of
  // indices.
  std::size_t some(std::size_t* indices) const {
    if (indices == nullptr && size_ != 0) {
      throw argument_error("the indices are NULL: give room for " + std::to_string(size_));
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!is_excluded(i) && holds(i)) indices[count++] = i;
    }
    return count;
  }
  [[nodiscard]] bool is_empty() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (!is_excluded(i)) return false;
    }
    return true;
  }

  // Waits for the first variable. Returns the value for which the condition held.
  [[nodiscard]] T wait_for_value() const {
    T now{};
    here_.wait([&] { return holds(now = detail::atomic_load(*variables_), 0); });
    return now;
  }
  void wait_for_all() const {
    here_.wait([this] { return holds_for_all(); });
  }
  [[nodiscard]] std::size_t wait_for_any() const {
    std::size_t found = no_index;
    if (is_empty()) return found;
    here_.wait([&] { return (found = any()) != no_index; });
    return found;
  }
  std::size_t wait_for_some(std::size_t* indices) const {
    std::size_t count = 0;
    if (is_empty()) return count;
    here_.wait([&] { return (count = some(indices)) != 0; });
    return count;
  }

 private:
  [[nodiscard]] bool is_excluded(std::size_t i) const {
    return status_ != nullptr && status_[i] != 0;
  }
  [[nodiscard]] bool holds(std::size_t i) const {
    // Acquire, with the release of puts and atomic operations: data put before are visible.
    return holds(detail::atomic_load(variables_[i]), i);
  }
  [[nodiscard]] bool holds(T now, std::size_t i) const {
    const T value = is_vector_ ? value_[i] : *value_;
    switch (cmp_) {
      case SHMEM_CMP_EQ:
        return now == value;
      case SHMEM_CMP_NE:
        return now != value;
      case SHMEM_CMP_GT:
        return now > value;
      case SHMEM_CMP_LE:
        return now <= value;
      case SHMEM_CMP_LT:
        return now < value;
      default:
        return now >= value;
    }
  }

  member& here_;
  const T* variables_;
  std::size_t size_;
  const int* status_;
  int cmp_;
  const T* value_;
  bool is_vector_;
};

// Returns the result of a test. A program may test again and again: after a failure the PE makes
// progress for the PEs of the world.
template <typename Result>
Result tested(member& here, Result result, Result failure) {
  if (result == failure) here.serve();
  return result;
}

}  // namespace boxcar::openshmem_c
