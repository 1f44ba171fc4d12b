// A display of the progress of PE 0, on standard error, for runs longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <boxcar/world.hpp>

namespace examples {

// On a terminal the display is a line with a bar that is rewritten, and gone at the end; elsewhere
// a new line every few seconds. Local.
class progress {
 public:
  // `total`: the final value of `at`. The display shows the share done. `before`: the time since
  // the beginning of the whole, if the display continues another display.
  progress(const boxcar::world& w, std::string what, std::uint64_t total,
           std::chrono::nanoseconds before = {});
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // Called often: `at` is cheap enough for every item, and reads the clock now and then.
  void at(std::uint64_t done) {
    if (++calls_ % calls_per_look == 0) [[unlikely]]
      look(done);
  }

  static constexpr std::uint32_t calls_per_look = 256;

  // Called at long steps: reads the clock at once.
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
