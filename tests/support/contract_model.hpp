// The contract of conveyors-2019, sections 3.2 and 3.3, written down a second time, independently
// of the library: which operation is legal in which state, what each may return, and how that
// changes the state. One PE's view.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <boxcar/conveyor_state.hpp>

namespace boxcar::test {

enum class operation {
  begin,
  push,
  pull,
  pull_pointer,
  unpull,
  advance,       // with false
  advance_done,  // with true
  reset
};

// As error messages call it.
const char* name_of(operation op);
std::span<const operation> all_operations();

bool is_legal(operation op, conveyor_state state);
std::vector<operation> illegal_operations(conveyor_state state);

// What `advance` may return in a state. (The state `endgame` is reached by `advance_done`, so an
// `ok` in reply to it leaves the conveyor there.)
bool may_return(operation op, conveyor_state state, advance_result result);
conveyor_state state_after(operation op, conveyor_state state, advance_result result);

const char* name_of(advance_result result);

}  // namespace boxcar::test
