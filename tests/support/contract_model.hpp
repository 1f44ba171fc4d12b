// The contract of conveyors-2019, sections 3.2 and 3.3, written down a second time, independently
// of the library: legal operations in each state, their possible results, and the next state. One
// PE's view.
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

// The name of the operation in error messages.
const char* name_of(operation op);
std::span<const operation> all_operations();

bool is_legal(operation op, conveyor_state state);
std::vector<operation> illegal_operations(conveyor_state state);

// The possible results of `advance` in a state. (The state `endgame` is reached by `advance_done`,
// so an `ok` in reply leaves the conveyor there.)
bool may_return(operation op, conveyor_state state, advance_result result);
conveyor_state state_after(operation op, conveyor_state state, advance_result result);

const char* name_of(advance_result result);

}  // namespace boxcar::test
