// The world that a Python object holds.
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
  // The world of the program's start, which outlives the object.
  explicit pe(world& of_program) : of_program_(&of_program) {}
  explicit pe(world&& own) : own_(std::move(own)) {}

  // Throws contract_error if the PE has left the world, or runs in another process.
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

  // Leaves the world. If the world had windows or the like, the PE waits for the other PEs. After
  // an exception the PE does not wait, and the other PEs learn that it has left.
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
