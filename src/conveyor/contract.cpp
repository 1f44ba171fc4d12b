#include "conveyor/contract.hpp"

#include <boxcar/error.hpp>

namespace boxcar {

const char* name_of(conveyor_state state) {
  switch (state) {
    case conveyor_state::dormant:
      return "dormant";
    case conveyor_state::working:
      return "working";
    case conveyor_state::endgame:
      return "endgame";
    case conveyor_state::cleanup:
      return "cleanup";
    case conveyor_state::complete:
      return "complete";
  }
  return "?";
}

namespace detail {
namespace {

const char* name_of(operation op, bool done) {
  switch (op) {
    case operation::begin:
      return "begin";
    case operation::push:
      return "push";
    case operation::pull:
      return "pull";
    case operation::unpull:
      return "unpull";
    case operation::advance:
      return done ? "advance(true)" : "advance(false)";
    case operation::reset:
      return "reset";
    case operation::set_codec:
      return "set_codec";
    case operation::free:
      return "free";
  }
  return "?";
}

const char* remedy(operation op, conveyor_state state) {
  if (op == operation::begin || op == operation::set_codec) {
    return state == conveyor_state::complete ? "reset the conveyor first"
                                             : "complete the running session and reset it first";
  }
  if (op == operation::reset || op == operation::free) {
    return "pull and call advance(true) until advance returns done";
  }
  if (state == conveyor_state::dormant) return "begin a session first";
  if (op == operation::push) {
    return state == conveyor_state::complete
               ? "the session is over: reset the conveyor and begin another"
               : "this PE has declared by advance(true) that it pushes nothing more";
  }
  return "this PE has declared the end by advance(true); it cannot take that back";
}

}  // namespace

bool contract::allows(operation op, bool done) const {
  if (handing_out_ && op != operation::push) return false;
  const bool dormant = state_ == conveyor_state::dormant;
  const bool working = state_ == conveyor_state::working;
  const bool complete = state_ == conveyor_state::complete;
  switch (op) {
    case operation::begin:
    case operation::set_codec:
      return dormant;
    case operation::push:
      return working;
    case operation::pull:
    case operation::unpull:
      return !dormant;
    case operation::advance:
      return working || complete || (!dormant && done);
    case operation::reset:
    case operation::free:
      return dormant || complete;
  }
  return false;
}

std::string contract::explain(operation op, bool done) const {
  if (handing_out_ && op != operation::push) {
    return std::string(name_of(op, done)) +
           " is illegal within a function that is called with what was pulled: do it after "
           "pull_all or advance";
  }
  return std::string(name_of(op, done)) + " is illegal while the conveyor is " +
         boxcar::name_of(state_) + ": " + remedy(op, state_);
}

void contract::require(operation op, bool done) const {
  if (has_failed_) {
    throw world_error(std::string(name_of(op, done)) +
                      ": a query has no reply, because the answering function has thrown");
  }
  if (!allows(op, done)) throw contract_error(explain(op, done));
}

void contract::advanced(bool done, advance_result result) {
  if (result == advance_result::done) {
    state_ = conveyor_state::complete;
  } else if (result == advance_result::near) {
    state_ = conveyor_state::cleanup;
  } else if (done) {
    state_ = conveyor_state::endgame;
  }
}

}  // namespace detail
}  // namespace boxcar
