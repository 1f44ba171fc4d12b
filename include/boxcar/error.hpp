// The header defines the exceptions of Boxcar. Every message names the problem, the wrong value,
// and a remedy.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <stdexcept>
#include <string>

namespace boxcar {

// The base of all errors thrown by Boxcar.
class error : public std::runtime_error {
 public:
  // `what()` has escapes like \x1b in place of control characters of the text, which a terminal
  // would obey, and of bytes that are not UTF-8: messages quote foreign text. Line ends and tabs
  // stay.
  explicit error(const std::string& text);
};

// The exception for a value that cannot work: an option, a number of PEs, a destination out of
// range.
class argument_error : public error {
 public:
  using error::error;
};

// The exception for an operation that is illegal in the conveyor's state (conveyors-2019, section
// 3.2). The operation had no effect: no item moved, and the state is unchanged.
class contract_error : public error {
 public:
  using error::error;
};

// The exception for a world that can no longer work together: a PE failed, left, or called another
// collective.
class world_error : public error {
 public:
  using error::error;
};

// The exception for a refusal of the operating system: memory, a file descriptor, a mapping.
class system_error : public error {
 public:
  using error::error;
};

// The exception for a remote function that threw on another PE: thrown where the result was asked
// for.
class remote_error : public error {
 public:
  remote_error(int pe, const std::string& function, const std::string& reason)
      : error("remote function " + function + " on PE " + std::to_string(pe) + " threw: " + reason),
        pe_(pe) {}

  // Returns the PE on which the function threw.
  [[nodiscard]] int pe() const { return pe_; }

 private:
  int pe_;
};

}  // namespace boxcar
