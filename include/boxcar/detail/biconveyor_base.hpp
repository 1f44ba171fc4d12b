// What biconveyors have in common: a conveyor for queries, one for replies, and on each PE the
// order in which it asked (conveyors-2019, section 6.1).
//
// Every query gets one reply, and both conveyors keep the order of what goes from one PE to
// another. So replies of one PE come back in the order in which it was asked, and need neither a
// number nor an address: it is enough to remember whom the queries went to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/session.hpp>
#include <boxcar/statistics.hpp>

namespace boxcar::detail {

class contract;

class biconveyor_base : public session_owner {
 public:
  biconveyor_base(const biconveyor_base&) = delete;
  biconveyor_base& operator=(const biconveyor_base&) = delete;

  advance_result advance(bool done);
  void reset();
  void leave(bool quietly) override;

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] const conveyor_base& query_conveyor() const { return queries_; }
  [[nodiscard]] const conveyor_base& reply_conveyor() const { return replies_; }

 protected:
  // The two belong to the derived class, and are steady.
  biconveyor_base(conveyor_base& queries, conveyor_base& replies);
  ~biconveyor_base();

  static conveyor_options made_steady(conveyor_options options);
  void require_dormant() const;
  // After both conveyors have begun. At most `window` queries, a power of two, are without a reply
  // that was pulled.
  void begun(std::uint64_t window);

  // Answers queries that have arrived for as long as there is room for replies.
  virtual void serve() = 0;
  // No reply waits for room.
  [[nodiscard]] virtual bool all_sent() const = 0;
  // Moves replies from the conveyor to the queues of those that sent them.
  virtual void collect() = 0;

  [[nodiscard]] bool window_full() const { return asked_ - taken_ >= window_; }
  [[nodiscard]] bool nothing_asked() const { return asked_ == taken_; }
  // Why a push fails that finds the window full: throws if it is illegal, or there is no such PE.
  void refuse_if_illegal(int pe) const;
  void require_pull() const;
  void remember(int pe) { asked_whom_[asked_++ & (window_ - 1)] = pe; }
  // Whom the oldest query without a reply went to.
  [[nodiscard]] std::size_t whom() const {
    return static_cast<std::size_t>(asked_whom_[taken_ & (window_ - 1)]);
  }
  void take() { ++taken_; }

 private:
  conveyor_base& queries_;
  conveyor_base& replies_;
  std::unique_ptr<contract> rules_;
  std::uint64_t window_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t taken_ = 0;
  std::vector<int> asked_whom_;  // of query i at i modulo the window
};

}  // namespace boxcar::detail
