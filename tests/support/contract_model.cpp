#include "support/contract_model.hpp"

#include <algorithm>

namespace boxcar::test {
namespace {

using enum conveyor_state;

constexpr std::array operations{operation::begin,        operation::push,   operation::pull,
                                operation::pull_pointer, operation::unpull, operation::advance,
                                operation::advance_done, operation::reset};

std::vector<conveyor_state> legal_states(operation op) {
  switch (op) {
    case operation::begin:
      return {dormant};
    case operation::push:
      return {working};
    case operation::pull:
    case operation::pull_pointer:
    case operation::unpull:
    case operation::advance_done:
      return {working, endgame, cleanup, complete};
    case operation::advance:
      return {working, complete};
    case operation::reset:
      return {dormant, complete};
  }
  return {};
}

}  // namespace

const char* name_of(operation op) {
  switch (op) {
    case operation::begin:
      return "begin";
    case operation::push:
      return "push";
    case operation::pull:
    case operation::pull_pointer:
      return "pull";
    case operation::unpull:
      return "unpull";
    case operation::advance:
      return "advance(false)";
    case operation::advance_done:
      return "advance(true)";
    case operation::reset:
      return "reset";
  }
  return "?";
}

std::span<const operation> all_operations() {
  return operations;
}

bool is_legal(operation op, conveyor_state state) {
  const auto states = legal_states(op);
  return std::find(states.begin(), states.end(), state) != states.end();
}

std::vector<operation> illegal_operations(conveyor_state state) {
  std::vector<operation> illegal;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(illegal),
               [state](operation op) { return !is_legal(op, state); });
  return illegal;
}

bool may_return(operation op, conveyor_state state, advance_result result) {
  if (state == complete) return result == advance_result::done;
  if (state == cleanup) return result != advance_result::ok;
  return op == operation::advance_done || result == advance_result::ok;
}

conveyor_state state_after(operation op, conveyor_state state, advance_result result) {
  if (result == advance_result::done) return complete;
  if (result == advance_result::near) return cleanup;
  return op == operation::advance_done && state == working ? endgame : state;
}

const char* name_of(advance_result result) {
  if (result == advance_result::ok) return "ok";
  return result == advance_result::near ? "near" : "done";
}

}  // namespace boxcar::test
