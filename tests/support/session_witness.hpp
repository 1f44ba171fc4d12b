// Watches the sessions of one conveyor of any kind on one PE: follows by the contract which state
// it must be in, and checks by the ledger what must hold between the PEs. Throws broken_contract
// where that is violated.
#pragma once

#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include <boxcar/conveyor_state.hpp>

#include "support/broken_contract.hpp"
#include "support/contract_model.hpp"
#include "support/ledger.hpp"

namespace boxcar::test {

// Each function takes the conveyor's state after the operation.
class session_witness {
 public:
  session_witness(ledger& book, int rank, int pes)
      : book_(book), rank_(rank), all_(static_cast<std::size_t>(pes)) {
    std::iota(all_.begin(), all_.end(), 0);
  }

  [[nodiscard]] conveyor_state state() const { return state_; }

  void expect_state(conveyor_state actual) const {
    require(actual == state_, std::string("the conveyor should be ") + boxcar::name_of(state_) +
                                  ", not " + boxcar::name_of(actual));
  }

  void begins() { note(stage::beginning); }
  void has_begun(conveyor_state actual) {
    note(stage::working);
    state_ = conveyor_state::working;
    expect_state(actual);
    require_others({stage::beginning, stage::working, stage::declared},
                   "while another PE has begun");
  }

  void advances(bool done) const {
    if (done && state_ == conveyor_state::working) note(stage::declared);
  }
  void has_advanced(bool done, advance_result result, conveyor_state actual) {
    const operation op = done ? operation::advance_done : operation::advance;
    require(may_return(op, state_, result), std::string(test::name_of(op)) + " must not return " +
                                                test::name_of(result) + " while " +
                                                boxcar::name_of(state_));
    state_ = state_after(op, state_, result);
    expect_state(actual);
    if (result == advance_result::ok) return;
    note(stage::over);
    require_others({stage::declared, stage::over, stage::resetting},
                   "while another PE is in cleanup or complete");
  }

  void resets() const { note(stage::resetting); }
  void has_reset(conveyor_state actual) {
    state_ = conveyor_state::dormant;
    expect_state(actual);
    require_others({stage::resetting, stage::dormant, stage::beginning},
                   "while another PE is dormant");
    note(stage::dormant);
  }

  void require(bool holds, const std::string& otherwise) const {
    if (!holds) throw broken_contract("PE " + std::to_string(rank_) + ": " + otherwise);
  }

 private:
  void note(stage s) const { book_.stage_of(rank_) = s; }
  void require_others(std::initializer_list<stage> allowed, const char* when) const {
    book_.require_stages(all_, allowed, when);
  }

  ledger& book_;
  int rank_;
  std::vector<int> all_;
  conveyor_state state_ = conveyor_state::dormant;
};

}  // namespace boxcar::test
