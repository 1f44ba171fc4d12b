// Runs a program as a user would, and reports its end.
#pragma once

#include <string>

namespace examples::test {

struct outcome {
  int status = 0;      // the exit status; 137 if it had to be killed
  std::string output;  // standard output
  std::string errors;  // standard error
};

// `command` is a line for the shell. Killed after a minute.
outcome run_program(const std::string& command);

}  // namespace examples::test
