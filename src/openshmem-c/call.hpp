// The frame of every function of OpenSHMEM, which cannot fail: who makes a mistake is told, and the
// job ends.
#pragma once

#include <exception>
#include <type_traits>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::openshmem_c {

// To be called by a handler. Throws the same once more, with the name of the function, where
// `boxcar::run` waits for it; else prints it and ends the program with status 1.
[[noreturn]] void give_up(const char* function);

template <typename Action>
std::invoke_result_t<Action> in_call(const char* function, const Action& action) {
  const detail::called_scope scope(function);
  try {
    return action();
  } catch (...) {
    give_up(function);
  }
}

}  // namespace boxcar::openshmem_c
