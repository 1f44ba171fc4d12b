// A display of how far PE 0 is, on standard error, for runs that take longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

namespace examples {

// On a terminal one line with a bar that is rewritten, and gone at the end; elsewhere a new line
// every few seconds. Local.
class progress {
 public:
  // `total`: the value that `at` will be given at the end. The display shows how much of it is
  // done. `before`: how long ago the whole began, if this goes on with what another one displayed.
  progress(const boxcar::world& w, std::string what, std::uint64_t total,
           std::chrono::nanoseconds before = {});
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // To be called often: it is cheap enough for every item, and looks at the clock now and then.
  void at(std::uint64_t done) {
    if (++calls_ % calls_per_look == 0) [[unlikely]]
      look(done);
  }

  static constexpr std::uint32_t calls_per_look = 256;

  // The same, for steps that take long: looks at the clock at once.
  void look(std::uint64_t done);

 private:
  const boxcar::world& world_;
  std::string what_;
  std::uint64_t total_;
  std::uint32_t calls_ = 0;
  std::chrono::nanoseconds start_;
  std::chrono::nanoseconds next_line_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace examples
