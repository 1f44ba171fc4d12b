// A program built as a module: a shared library with a `main`. This process calls `main` any number
// of times, each time with separate data.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace boxcar::simulator {

class program_module {
 public:
  // Throws argument_error with the remedy if the file is no module. (The module stays loaded.)
  explicit program_module(const std::string& path);

  // Returns the memory of the program's variables with static storage, the thread-local variables
  // of the caller included.
  [[nodiscard]] const std::vector<std::span<std::byte>>& data() const { return data_; }
  // Restores the values of the variables before any initialisation by a function.
  void clear() const;

  // Initialises the variables and runs the program to its end; `words` begin with the program's
  // name.
  int run(const std::vector<std::string>& words) const;

 private:
  using main_function = int (*)(int, char**, char**);
  using initialiser = void (*)(int, char**, char**);

  void find_data(void* handle);

  main_function main_ = nullptr;
  std::vector<std::span<std::byte>> data_;
  std::vector<std::span<std::byte>> zeroed_;  // the parts that begin with zeros
  std::vector<initialiser> initialisers_;
};

}  // namespace boxcar::simulator
