// How the programs on the PEs of a simulation may end this process, and what is not done then.
#pragma once

namespace boxcar::simulator {

// While one exists, modules are loaded and run. Who calls `exit` meanwhile ends the simulation,
// with a message and as a failure. What is to be called at the end of the process is forgotten: it
// would be done to the variables of one PE, as often as PEs have asked for it.
class module_time {
 public:
  module_time();
  module_time(const module_time&) = delete;
  module_time& operator=(const module_time&) = delete;
  ~module_time();
};

}  // namespace boxcar::simulator
