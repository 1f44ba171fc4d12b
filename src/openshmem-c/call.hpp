// The frame of every function of OpenSHMEM. The functions cannot return errors: an error prints a
// message, and the job ends.
#pragma once

#include <exception>
#include <type_traits>

#include <boxcar/detail/called_scope.hpp>

#include "openshmem-c/thread_sharing.hpp"

namespace boxcar::openshmem_c {

// Precondition: an exception is being handled. Throws the exception again, with the name of the
// function, if `boxcar::run` waits for exceptions; otherwise prints the message and ends the
// program with status 1.
[[noreturn]] void give_up(const char* function);

template <typename Action>
std::invoke_result_t<Action> in_call(const char* function, const Action& action) {
  const thread_sharing::turn turn;
  const detail::called_scope scope(function);
  try {
    return action();
  } catch (...) {
    give_up(function);
  }
}

}  // namespace boxcar::openshmem_c
