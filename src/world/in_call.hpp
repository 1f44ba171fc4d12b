// The frame of a function of an interface in C whose functions cannot return errors, as OpenSHMEM
// and AML: an error prints a message, and the job ends.
#pragma once

#include <exception>
#include <type_traits>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::detail {

// Precondition: an exception is being handled. Throws the exception again, with the name of the
// function, if `boxcar::run` waits for exceptions; otherwise prints the message and ends the
// program with status 1.
[[noreturn]] void give_up(const char* function);

template <typename Action>
std::invoke_result_t<Action> in_call(const char* function, const Action& action) {
  const called_scope scope(function);
  try {
    return action();
  } catch (...) {
    give_up(function);
  }
}

}  // namespace boxcar::detail
