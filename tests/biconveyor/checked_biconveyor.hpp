// A biconveyor with checks at every operation: the states are right, every query is answered once
// and in the order of its asker, and replies are pulled in the order of the queries, each the reply
// to its own query. Throws broken_contract at a violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "biconveyor/biconveyor_setup.hpp"
#include "support/ledger.hpp"
#include "support/session_witness.hpp"

namespace boxcar::test {

class checked_biconveyor {
 public:
  // Collective.
  checked_biconveyor(world& w, question_sizes sizes, const conveyor_options& options, ledger& book);

  // The operations. Each must be legal.
  void in_session(const std::function<void()>& body);
  bool push(int pe);  // the query encodes its source
  bool pull();
  advance_result advance(bool done);
  void reset();

  // Loops for many tests.
  void pull_all();
  void finish();
  // Pulls everything in cleanup, without another advance, until there is no more.
  void drain();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(asked_.size()); }
  [[nodiscard]] conveyor_state state() const { return witness_.state(); }
  // The number of queries of the PE whose reply was not pulled.
  [[nodiscard]] std::size_t open_questions() const { return open_.size(); }
  // The number of queries that the PE has answered in the session.
  [[nodiscard]] std::uint64_t answered() const;
  [[nodiscard]] any_biconveyor& unchecked() { return *biconveyor_; }
  [[nodiscard]] const session_witness& witness() const { return witness_; }

 private:
  struct question {
    int whom;
    std::vector<std::byte> query;
  };

  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }
  void write_query(int pe, std::span<std::byte> query) const;
  void write_reply(std::span<const std::byte> query, int answerer,
                   std::span<std::byte> reply) const;
  void answer(std::span<const std::byte> query, std::span<std::byte> reply);
  void check_order(std::span<const std::byte> query);
  void check_everything_answered() const;

  std::unique_ptr<any_biconveyor> biconveyor_;
  question_sizes sizes_;
  ledger& book_;
  session_witness witness_;
  int rank_;
  std::uint64_t sessions_ = 0;
  std::vector<std::uint64_t> asked_;     // by asker
  std::vector<std::uint64_t> answered_;  // by asker, where the query tells the asker
  std::uint64_t answers_ = 0;
  std::deque<question> open_;
};

}  // namespace boxcar::test
