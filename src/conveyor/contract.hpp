// The contract between a conveyor and its client (conveyors-2019, sections 3.2 and 3.3): which
// operations are legal in which state, and how the state changes. One PE's view; all kinds of
// conveyor use this class and no other code decides on legality.
#pragma once

#include <string>

#include <boxcar/conveyor_state.hpp>

namespace boxcar::detail {

enum class operation { begin, push, pull, unpull, advance, reset, set_codec, free };

class contract {
 public:
  [[nodiscard]] conveyor_state state() const { return state_; }

  // Is `op` legal now? `done` is the argument of advance, and ignored for the others.
  [[nodiscard]] bool allows(operation op, bool done = false) const;
  // Throws contract_error, which names the operation, the state and the remedy, if it is not.
  void require(operation op, bool done = false) const;
  [[nodiscard]] std::string explain(operation op, bool done = false) const;

  // Transitions. Each is called after its operation was found legal and has succeeded.
  void begun() { state_ = conveyor_state::working; }
  void advanced(bool done, advance_result result);
  void was_reset() { state_ = conveyor_state::dormant; }
  // From one to the other, items are being handed to a function of the client: it may push.
  void hand_out() { handing_out_ = true; }
  void took_back() { handing_out_ = false; }

 private:
  conveyor_state state_ = conveyor_state::dormant;
  bool handing_out_ = false;
};

}  // namespace boxcar::detail
