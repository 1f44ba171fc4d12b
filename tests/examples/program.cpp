#include "examples/program.hpp"

#include <cstdlib>
#include <sys/wait.h>

#include "examples/temporary_file.hpp"

namespace examples::test {

outcome run_program(const std::string& command) {
  const temporary_file output("");
  const temporary_file errors("");
  const std::string limited = "timeout -s KILL 60 sh -c '" + command + "' >" + output.path() +
                              " 2>" + errors.path() + " </dev/null";
  const int result = std::system(limited.c_str());
  return {WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result),
          contents_of(output.path()), contents_of(errors.path())};
}

}  // namespace examples::test
