// Watches the sessions of one conveyor of any kind on one PE: the witness derives the required
// state from the contract, and checks the invariants between PEs by the ledger. Throws
// broken_contract, with the last operations, at a violation.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <boxcar/conveyor_state.hpp>

#include "support/contract_model.hpp"
#include "support/ledger.hpp"

namespace boxcar::test {

// Each function is called after an operation and takes the conveyor's new state.
class session_witness {
 public:
  // Constructs a witness for a conveyor over all PEs of the ledger.
  session_witness(ledger& book, int rank, int pes);
  // Constructs a witness for a conveyor over `members`, the ranks of its PEs in the ledger.
  // `advance_synchronises` tells whether `advance` synchronises the PEs.
  session_witness(ledger& book, int rank, std::vector<int> members, bool advance_synchronises);

  [[nodiscard]] conveyor_state state() const { return state_; }
  void expect_state(conveyor_state actual) const;

  void begins();
  void has_begun(conveyor_state actual);
  void advances(bool done);
  void has_advanced(bool done, advance_result result, conveyor_state actual);
  void resets();
  void has_reset(conveyor_state actual);

  // Records an operation in a few letters. (The functions above record their operations
  // themselves.)
  void saw(std::string operation);
  // Throws broken_contract with the text `otherwise` unless `holds`.
  void require(bool holds, const std::string& otherwise) const;

 private:
  [[nodiscard]] int me() const { return members_[static_cast<std::size_t>(rank_)]; }
  // Something may still arrive.
  [[nodiscard]] bool under_way() const;
  void note(stage s) { book_.stage_of(me()) = s; }
  void require_others(std::initializer_list<stage> allowed, const char* when) const;
  void check_synchrony(bool at_the_end) const;

  ledger& book_;
  int rank_;
  std::vector<int> members_;
  bool advance_synchronises_;
  conveyor_state state_ = conveyor_state::dormant;
  std::array<std::string, 24> seen_;  // the last operations, in turn
  std::size_t operations_ = 0;
};

}  // namespace boxcar::test
