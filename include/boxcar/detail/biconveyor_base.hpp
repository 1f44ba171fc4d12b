// What biconveyors have in common: a conveyor for queries, one for replies, and on each PE the
// order in which it asked (conveyors-2019, section 6.1).
//
// Every query gets one reply, and both conveyors keep the order of what goes from one PE to
// another. So replies of one PE come back in the order in which it was asked, and need neither a
// number nor an address: it is enough to remember whom the queries went to.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <boxcar/conveyor_options.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/conveyor_base.hpp>
#include <boxcar/detail/ring.hpp>
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
  // Throws contract_error in the middle of a session.
  void require_free() const;

  [[nodiscard]] conveyor_state state() const;
  [[nodiscard]] const conveyor_base& query_conveyor() const { return queries_; }
  [[nodiscard]] const conveyor_base& reply_conveyor() const { return replies_; }
  [[nodiscard]] statistics query_statistics() const { return queries_.session_statistics(); }
  // The memory held includes that for replies that wait to be pulled.
  [[nodiscard]] statistics reply_statistics() const;
  [[nodiscard]] std::string explain() const;

 protected:
  // The two belong to the derived class, and are made `for_each` of these options.
  biconveyor_base(conveyor_base& queries, conveyor_base& replies, const conveyor_options& options);
  ~biconveyor_base();
  // Both conveyors are there.
  void made() { making_.reset(); }

  // What each of the two is made with: steady, and with half of the memory.
  static conveyor_options for_each(conveyor_options options);
  // The conveyor of replies is not tuned by itself: it follows that of queries.
  static conveyor_options for_replies(const conveyor_options& options);
  void require_dormant() const;
  // After the session of queries has begun, and before that of replies.
  void build_replies();
  // Collective. After the session of one has begun, and that of the other could not: ends it.
  static void take_back(conveyor_base& begun);
  // After both conveyors have begun. At most `window` queries are without a reply that was pulled.
  void begun(std::size_t window);

  // Answers queries that have arrived for as long as there is room for replies.
  virtual void serve() = 0;
  // No reply waits for room.
  [[nodiscard]] virtual bool all_sent() const = 0;
  // Moves replies from the conveyor to the queues of those that sent them.
  virtual void collect() = 0;
  // What those queues, and the desk for replies that are not sent yet, hold in bytes.
  [[nodiscard]] virtual std::size_t queue_bytes() const = 0;
  // They are empty, and shall hold nothing.
  virtual void release_queues() = 0;

  // Asks by a function that pushes the query to `pe`, and notes whom if it returns true.
  template <typename Push>
  [[gnu::always_inline]] bool ask(const Push& push_query, int pe) {
    // There is no room either unless the session is working.
    if (!asked_whom_.has_room()) [[unlikely]] {
      refuse_if_illegal(pe);
      return false;
    }
    if (!push_query()) return false;
    asked_whom_.put(pe);
    return true;
  }
  [[nodiscard]] bool nothing_asked() { return asked_whom_.empty(); }
  void require_pull() const;
  // Whom the oldest query without a reply went to.
  [[nodiscard]] std::uint32_t whom() { return static_cast<std::uint32_t>(*asked_whom_.front()); }
  void take() { asked_whom_.pop_front(); }

 private:
  // Why a push fails that finds the window full: throws if the push is illegal, or there is no such
  // PE.
  void refuse_if_illegal(int pe) const;

  std::optional<called_scope> making_;
  conveyor_base& queries_;
  conveyor_base& replies_;
  std::unique_ptr<contract> rules_;
  bool dynamic_memory_;
  bool is_tuned_;
  mutable bool was_full_ = false;  // a push found the window full since the last advance
  ring<int> asked_whom_;           // by the queries without a reply that was pulled
};

}  // namespace boxcar::detail
