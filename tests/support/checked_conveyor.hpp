// A conveyor that is checked against the contract at every operation: legality, state, return
// values, arrivals, and the invariants between the PEs. Throws broken_contract, with the last
// operations, at a violation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "support/any_conveyor.hpp"
#include "support/contract_model.hpp"
#include "support/item_content.hpp"
#include "support/ledger.hpp"
#include "support/session_witness.hpp"

namespace boxcar::test {

class checked_conveyor {
 public:
  // Collective. `members` are the ranks by which the ledger knows the PEs of `w`; default: their
  // ranks in `w`.
  checked_conveyor(const world& w, const conveyor_setup& setup, ledger& book,
                   std::vector<int> members = {});

  // The operations. Each must be legal.
  void in_session(const std::function<void()>& body);
  bool push(int pe);  // an item that tells its source
  bool pull(pull_way way = pull_way::copy_with_source);
  // Calls `and_then` after each item.
  void pull_all(const std::function<void()>& and_then = [] {});
  bool unpull();
  advance_result advance(bool done);
  void reset();

  // Tries an illegal operation, and checks that it is refused and changes nothing.
  void refuse(operation op);
  void refuse_all();
  // Pulls everything in cleanup, without another advance, until there is no more.
  void drain();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] conveyor_state state() const { return witness_.state(); }
  // The source of the item that was pulled last.
  [[nodiscard]] int last_source() const { return last_; }
  // The number of items pulled in the session, and not put back.
  [[nodiscard]] std::uint64_t pulled() const;
  [[nodiscard]] any_conveyor& unchecked() { return *conveyor_; }

 private:
  // The expected statistics.
  struct counts {
    std::uint64_t pushes = 0;
    std::uint64_t blocked = 0;
    std::uint64_t pulls = 0;
    std::uint64_t unpulls = 0;
    std::uint64_t advances = 0;
  };

  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }
  [[nodiscard]] int me() const { return members_[index(rank_)]; }
  [[nodiscard]] std::uint64_t stream() const { return scramble_all({book_.stream(), sessions_}); }
  [[nodiscard]] std::size_t size_of(const item_identity& id) const;
  [[nodiscard]] std::uint64_t still_to_pull();

  void prepare();
  void let_go_of_held_item();
  void before_reset();
  void after_reset();
  void note_arrival(const pulled_item& item, int from);
  void check_statistics() const;
  void call(operation op);

  std::unique_ptr<any_conveyor> conveyor_;
  ledger& book_;
  std::vector<int> members_;
  int rank_;
  bool elastic_;
  std::size_t item_bytes_;
  session_witness witness_;

  std::uint64_t sessions_ = 0;
  std::vector<std::uint64_t> pushed_to_;
  std::vector<std::uint64_t> pulled_from_;
  counts counts_;

  int last_ = 0;
  bool can_unpull_ = false;
  bool put_back_ = false;  // the next pull must bring the item of `last_` again
  // The item that was pulled by pointer last, which must stay in place.
  pulled_item held_;
  item_identity held_identity_;
  std::vector<std::byte> item_;  // being pushed
};

}  // namespace boxcar::test
