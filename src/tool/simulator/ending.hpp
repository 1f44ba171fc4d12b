// The possible endings of this process by programs on simulated PEs, and the actions left out then.
#pragma once

namespace boxcar::simulator {

// While an object exists, modules are loaded and run. A call of `exit` in this time ends the
// simulation, with a message and as a failure. Functions registered for the end of the process are
// forgotten: the process would call the functions on the variables of one PE, as often as PEs have
// registered them.
class module_time {
 public:
  module_time();
  module_time(const module_time&) = delete;
  module_time& operator=(const module_time&) = delete;
  ~module_time();
};

}  // namespace boxcar::simulator
