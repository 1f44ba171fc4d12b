// A world as a Python object holds it.
#pragma once

#include <optional>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/world.hpp>

#include "quietly.hpp"

namespace boxcar::python {

class pe {
 public:
  // The world that the program was started in, which outlives this.
  explicit pe(world& of_program) : of_program_(&of_program) {}
  explicit pe(world&& own) : own_(std::move(own)) {}

  // Throws contract_error if this PE has left it, or is another process.
  world& here() {
    if (getpid() != process_) {
      throw contract_error(
          "this process was forked from a PE, and a forked process is no PE: use the world in the "
          "PE's own process, and start other processes by multiprocessing's method \"spawn\"");
    }
    if (own_) return *own_;
    if (of_program_ == nullptr) throw contract_error("this PE has left the world: it was closed");
    return *of_program_;
  }

  // Leaves it. In a world that had windows and their like a PE waits for the others then; if it
  // leaves by an exception it does not, and they hear that it has left.
  void leave(bool by_exception) {
    of_program_ = nullptr;
    if (!by_exception) return own_.reset();
    quietly([this] { own_.reset(); });
  }

 private:
  std::optional<world> own_;
  world* of_program_ = nullptr;
  pid_t process_ = getpid();
};

}  // namespace boxcar::python
