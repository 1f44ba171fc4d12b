// The contract between a conveyor and its client (conveyors-2019, sections 3.2 and 3.3): the legal
// operations in each state, and the transitions between states, as seen by one PE. All kinds of
// conveyors use the class, and no other code decides on legality.
#pragma once

#include <string>

#include <boxcar/conveyor_state.hpp>

namespace boxcar::detail {

enum class operation { begin, push, pull, unpull, advance, reset, set_codec, free };

class contract {
 public:
  [[nodiscard]] conveyor_state state() const { return state_; }

  // Returns whether `op` is legal now. `done` is the argument of advance; other operations ignore
  // it.
  [[nodiscard]] bool allows(operation op, bool done = false) const;
  // Throws contract_error with the operation, the state and the remedy unless `op` is legal, and
  // world_error if the session has failed.
  void require(operation op, bool done = false) const;
  [[nodiscard]] std::string explain(operation op, bool done = false) const;

  // Transitions. Each is called after its operation was found legal and has succeeded.
  void begun() { state_ = conveyor_state::working; }
  void advanced(bool done, advance_result result);
  void was_reset() { state_ = conveyor_state::dormant; }
  // Between hand_out and took_back, a function of the client processes items: only push is legal.
  void hand_out() { handing_out_ = true; }
  void took_back() { handing_out_ = false; }
  // The session cannot go on, and the world has failed.
  void fail() { has_failed_ = true; }

 private:
  conveyor_state state_ = conveyor_state::dormant;
  bool handing_out_ = false;
  bool has_failed_ = false;
};

}  // namespace boxcar::detail
