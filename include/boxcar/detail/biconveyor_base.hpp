// The biconveyor base is the common part of biconveyors: a conveyor for queries, a conveyor for
// replies, and on each PE the order of the PE's queries (conveyors-2019, section 6.1).
//
// Every query gets one reply, and both conveyors keep the order of items from one PE to another. So
// replies of a PE come back in the order of the queries to the PE, and need neither a number nor an
// address: it is enough to remember the target of each query.
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
  // The memory in the result includes memory for replies that wait to be pulled.
  [[nodiscard]] statistics reply_statistics() const;
  [[nodiscard]] std::string explain() const;

 protected:
  // The two conveyors belong to the derived class, and are made with `for_each` of the options.
  biconveyor_base(conveyor_base& queries, conveyor_base& replies, const conveyor_options& options);
  ~biconveyor_base();
  // Called when both conveyors have been made.
  void made() { making_.reset(); }

  // Returns the options of each of the two conveyors: steady, and with half of the memory.
  static conveyor_options for_each(conveyor_options options);
  // Returns the options of the conveyor of replies, which is not tuned independently: the conveyor
  // follows the conveyor of queries.
  static conveyor_options for_replies(const conveyor_options& options);
  void require_dormant() const;
  // Called after the session of queries has begun, and before the session of replies begins.
  void build_replies();
  // Collective. Ends a session that has begun, when the session of the other conveyor could not
  // begin.
  static void take_back(conveyor_base& begun);
  // Called after both conveyors have begun. At most `window` queries are without a pulled reply.
  void begun(std::size_t window);

  // Answers arrived queries as long as there is room for replies.
  virtual void serve() = 0;
  // Returns whether no reply waits for room.
  [[nodiscard]] virtual bool all_sent() const = 0;
  // Moves replies from the conveyor to the queues of their senders.
  virtual void collect() = 0;
  // Returns the memory in bytes of the reply queues, and of the desk for replies that are not sent
  // yet.
  [[nodiscard]] virtual std::size_t queue_bytes() const = 0;
  // Frees the memory of the reply queues. Precondition: the queues are empty.
  virtual void release_queues() = 0;

  // Sends a query by a function that pushes the query to `pe`, and records the target if the
  // function returns true.
  template <typename Push>
  [[gnu::always_inline]] bool ask(const Push& push_query, int pe) {
    // Without a working session there is no room either.
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
  // Returns the target of the oldest query without a reply.
  [[nodiscard]] std::uint32_t whom() { return static_cast<std::uint32_t>(*asked_whom_.front()); }
  void take() { asked_whom_.pop_front(); }

 private:
  // Answers queries. If a query cannot be answered, later replies of the PE would be taken for
  // replies to other queries: the world fails.
  void answer_queries();
  // Checks a push that finds the window full: throws if the push is illegal, or the PE does not
  // exist.
  void refuse_if_illegal(int pe) const;

  std::optional<called_scope> making_;
  conveyor_base& queries_;
  conveyor_base& replies_;
  std::unique_ptr<contract> rules_;
  bool dynamic_memory_;
  bool is_tuned_;
  mutable bool was_full_ = false;  // a push found the window full since the last advance
  ring<int> asked_whom_;           // the targets of queries without a pulled reply
};

}  // namespace boxcar::detail
