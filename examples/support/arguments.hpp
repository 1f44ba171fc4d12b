// The command line of an example: options with a default and a range, and one line of help each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

namespace examples {

struct range {
  std::uint64_t least;
  std::uint64_t most;
};

// Usage: query each option once, the file (if there is one) last, and then call `complete`: only
// `complete` reports errors, so that `--help` works whatever else was given.
class arguments {
 public:
  // `purpose` is the purpose of the example, in one sentence, for the help.
  arguments(int argc, const char* const* argv, std::string purpose);

  // Returns the number in `--option 7` or `--option=7`; `standard` if the option was not given.
  std::uint64_t number(const std::string& option, std::uint64_t standard, range allowed,
                       const std::string& meaning);
  // Returns the word in `--option word` or `--option=word`; the first of `words` if the option was
  // not given. Precondition: there is a word.
  std::string choice(const std::string& option, const std::vector<std::string>& words,
                     const std::string& meaning);
  // Returns the path in `--option path` or `--option=path`; "" if the option was not given.
  std::string path(const std::string& option, const std::string& meaning);
  // Returns whether `--option` was given.
  bool flag(const std::string& option, const std::string& meaning);
  // Returns the argument without an option, which is mandatory.
  std::string file(const std::string& meaning);

  // Throws boxcar::argument_error if an argument is wrong, unknown or missing. Returns false if
  // help was requested; PE 0 has printed the help, and there is nothing left to do.
  [[nodiscard]] bool complete(const boxcar::world& w);

 private:
  std::optional<std::string> take(const std::string& option, bool with_value);
  void complain(const std::string& problem);
  [[nodiscard]] std::string help() const;

  std::string program_;
  std::string purpose_;
  std::vector<std::string> left_;  // arguments not queried yet
  std::string usage_;
  std::string descriptions_;
  std::string problem_;  // the first problem
};

}  // namespace examples
