#include "support/session_witness.hpp"

#include <numeric>
#include <utility>

#include "support/broken_contract.hpp"

namespace boxcar::test {
namespace {

std::vector<int> all_ranks(int pes) {
  std::vector<int> ranks(static_cast<std::size_t>(pes));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

session_witness::session_witness(ledger& book, int rank, int pes)
    : session_witness(book, rank, all_ranks(pes), false) {}

session_witness::session_witness(ledger& book, int rank, std::vector<int> members,
                                 bool advance_synchronises)
    : book_(book),
      rank_(rank),
      members_(std::move(members)),
      advance_synchronises_(advance_synchronises) {}

void session_witness::saw(std::string operation) {
  seen_[operations_++ % seen_.size()] = std::move(operation);
}

void session_witness::require(bool holds, const std::string& otherwise) const {
  if (holds) return;
  std::string text = "PE " + std::to_string(me()) + ": " + otherwise + "; it did:";
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const std::string& operation = seen_[(operations_ + i) % seen_.size()];
    if (!operation.empty()) text += " " + operation;
  }
  throw broken_contract(text);
}

void session_witness::require_others(std::initializer_list<stage> allowed, const char* when) const {
  const std::string other = book_.find_other(members_, allowed);
  require(other.empty(), other + " " + when);
}

void session_witness::expect_state(conveyor_state actual) const {
  require(actual == state_, std::string("the conveyor should be ") + boxcar::name_of(state_) +
                                ", not " + boxcar::name_of(actual));
}

bool session_witness::under_way() const {
  return state_ == conveyor_state::working || state_ == conveyor_state::endgame;
}

void session_witness::begins() {
  saw("begin");
  book_.advances(me()) = 0;
  note(stage::beginning);
}

void session_witness::has_begun(conveyor_state actual) {
  note(stage::working);
  state_ = conveyor_state::working;
  expect_state(actual);
  require_others({stage::beginning, stage::working, stage::declared}, "while another PE has begun");
}

void session_witness::advances(bool done) {
  if (under_way()) ++book_.advances(me());
  if (done && state_ == conveyor_state::working) note(stage::declared);
}

void session_witness::has_advanced(bool done, advance_result result, conveyor_state actual) {
  const operation op = done ? operation::advance_done : operation::advance;
  const bool was_under_way = under_way();
  saw(std::string(name_of(op)) + "=" + name_of(result));
  require(may_return(op, state_, result),
          std::string("advance must not return this while ") + boxcar::name_of(state_));
  state_ = state_after(op, state_, result);
  expect_state(actual);
  if (!was_under_way) return;
  const bool at_the_end = result != advance_result::ok;
  if (at_the_end) {
    note(stage::over);
    require_others({stage::declared, stage::over, stage::resetting},
                   "while another PE is in cleanup or complete");
  }
  if (advance_synchronises_) check_synchrony(at_the_end);
}

void session_witness::check_synchrony(bool at_the_end) const {
  const std::uint64_t mine = book_.advances(me());
  for (const int pe : members_) {
    const std::uint64_t theirs = book_.advances(pe);
    require(theirs >= mine, "advance has not waited for PE " + std::to_string(pe));
    require(!at_the_end || theirs == mine,
            "the end is near here and not for PE " + std::to_string(pe));
  }
}

void session_witness::resets() {
  saw("reset");
  note(stage::resetting);
}

void session_witness::has_reset(conveyor_state actual) {
  state_ = conveyor_state::dormant;
  expect_state(actual);
  require_others({stage::resetting, stage::dormant, stage::beginning},
                 "while another PE is dormant");
  note(stage::dormant);
}

}  // namespace boxcar::test
