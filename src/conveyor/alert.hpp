// Tells on standard error what hurts a conveyor's performance (the option `alert`; conveyors-2019,
// section 4.6). Each kind of remark is made once per conveyor and PE.
#pragma once

#include <chrono>
#include <string>

#include <boxcar/statistics.hpp>

#include "conveyor/configuration.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class alert {
 public:
  explicit alert(substrate& world) : world_(world) {}

  // A group that does not match the nodes sends over the network what should stay local. PE 0 says
  // so for all.
  void check_group(const configuration& chosen);
  // To be called at each advance: a PE that comes back late holds up the others.
  void check_pace();
  void pause() { advanced_ = {}; }  // between sessions
  // Many buffers that left nearly empty.
  void check_fill(const statistics& session);

 private:
  void say(bool& said, const std::string& text);

  substrate& world_;
  std::chrono::nanoseconds advanced_{};
  bool said_group_ = false;
  bool said_late_ = false;
  bool said_empty_ = false;
};

}  // namespace boxcar::detail
