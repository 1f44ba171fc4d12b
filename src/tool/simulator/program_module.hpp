// A program built as a module: a shared library with a `main`, which this process calls as often as
// it likes, each time with data of its own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace boxcar::simulator {

class program_module {
 public:
  // Throws argument_error with the remedy if the file is no such module. (It stays loaded.)
  explicit program_module(const std::string& path);

  // What the program's variables with static storage are in, those of the thread that calls
  // included.
  [[nodiscard]] const std::vector<std::span<std::byte>>& data() const { return data_; }
  // Returns them to what they were before anything was initialised by a function.
  void clear() const;

  // Initialises the variables and runs the program to its end; `words` begin with its name.
  int run(const std::vector<std::string>& words) const;

 private:
  using main_function = int (*)(int, char**, char**);
  using initialiser = void (*)(int, char**, char**);

  void find_data(void* handle);

  main_function main_ = nullptr;
  std::vector<std::span<std::byte>> data_;
  std::vector<std::span<std::byte>> zeroed_;  // parts of it that begin with zeros
  std::vector<initialiser> initialisers_;
};

}  // namespace boxcar::simulator
