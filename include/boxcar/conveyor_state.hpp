// The header defines the states of a conveyor on a PE, and the result of `advance` (conveyors-2019,
// section 3.2).
#pragma once

#include <boxcar/detail/cpp20.hpp>

namespace boxcar {

enum class conveyor_state {
  dormant,   // no session; the state before `begin` and after `reset`
  working,   // items may be pushed and pulled
  endgame,   // the PE has declared that it will push nothing more
  cleanup,   // everything has arrived; some items remain to be pulled on the PE
  complete,  // everything that was pushed to the PE has been pulled
};

[[nodiscard]] const char* name_of(conveyor_state state);

// The result of `advance`. Usable as the condition of a loop: true until the session is complete on
// the PE.
class advance_result {
 public:
  enum value { done, ok, near };

  constexpr advance_result(value v) : value_(v) {}  // NOLINT: a value and its wrapper are one
  constexpr explicit operator bool() const { return value_ != done; }
  friend constexpr bool operator==(advance_result, advance_result) = default;

 private:
  value value_;
};

}  // namespace boxcar
