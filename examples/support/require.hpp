// Checks of an example's own result.
#pragma once

#include <stdexcept>
#include <string>

namespace examples {

// Ends the example with a message and exit status 1.
[[noreturn]] inline void wrong_result(const std::string& what_is_wrong) {
  throw std::runtime_error("the result is wrong: " + what_is_wrong);
}

inline void require(bool right, const char* what_is_wrong) {
  if (!right) wrong_result(what_is_wrong);
}

}  // namespace examples
