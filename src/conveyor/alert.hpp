// Warns on standard error about conditions that reduce a conveyor's performance (the option
// `alert`; conveyors-2019, section 4.6). Each kind of warning appears once per conveyor and PE.
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

  // Warns about a group that does not match the nodes, and sends local traffic over the network.
  // Only PE 0 warns.
  void check_group(const configuration& chosen);
  // Warns about late calls. Called at each advance: a PE that calls late delays the other PEs.
  void check_pace();
  void pause() { advanced_ = {}; }  // between sessions
  // Warns about many buffers that were sent nearly empty.
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
