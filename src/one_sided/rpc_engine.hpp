// The active-message engine for one-sided objects (windows, counters, append buffers). If a
// substrate's own operations cannot access an object on a PE of another node (no RMA), the origin
// sends a request to the target PE, and the target executes the request whenever the target makes
// progress. Each PE has one rpc_engine per world, made with the first object.
//
// Requests of a PE to a target are executed in the order in which the requests were sent. A reply
// says that requests have been executed: the reply to the request itself, or to a later request, a
// flush.
//
// If the PE has a progress thread (substrate/progress_context.hpp), the progress thread executes
// requests and takes replies, too. The PE and the progress thread share the mailbox, the objects
// and the table of outstanding replies, which both access under the progress thread's lock only.
// The PE sees the writes of the progress thread by the same lock, or by the atomic operations of
// the objects.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/detail/pe_table.hpp>

#include "one_sided/large_data.hpp"
#include "one_sided/request.hpp"
#include "substrate/agreement.hpp"
#include "substrate/looking.hpp"
#include "substrate/mailbox.hpp"
#include "substrate/progress.hpp"
#include "substrate/progress_context.hpp"
#include "substrate/ready_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The largest reply, in bytes.
inline constexpr std::size_t reply_bytes = message_bytes;

// Room for a reply, at least `reply_bytes`, and the number of bytes written.
struct reply_room {
  std::span<std::byte> room;
  std::size_t bytes = 0;
};

// A remote_object is the part of a one-sided object on this PE: the target of requests of other
// PEs.
class remote_object {
 public:
  virtual ~remote_object() = default;
  virtual void execute(const request& r, std::span<const std::byte> data, reply_room& reply) = 0;
  // Adds an arrival of `bytes` bytes, if the object is a counter.
  virtual void count(std::size_t /*bytes*/) {}
  // Returns whether the engine calls `work` in every poll. For other objects the engine calls
  // `work` in the polls after `activate`, or after a PE of the node has added the object to the
  // ready list, as long as `has_work` returns true.
  [[nodiscard]] virtual bool is_polled() const { return false; }
  // Does the work that is possible now; returns false if there is no work. Called under the
  // engine's lock, as `execute` is, by the PE or its progress thread.
  virtual bool work() { return false; }
  // Removes the object from the ready list (ready_list.hpp). Returns the number of the next object.
  virtual std::uint64_t take_from_list() { return 0; }
  // Returns whether operations of the object bypass the engine (RMA). `complete` completes these
  // operations, and hands any requests that must follow the operations at the target to the engine.
  [[nodiscard]] virtual bool bypasses_engine() const { return false; }
  virtual void complete() {}
  // Returns whether there is work, now or later, for which other PEs may wait.
  [[nodiscard]] virtual bool has_work() { return false; }

  // Called by the PE's thread when the client of this PE drops the object.
  virtual void dropped() noexcept {}
  // Called when this PE has left its program by an exception: memory and functions of the program
  // are gone.
  virtual void abandoned() noexcept {}

  // Called once, under the engine's lock, before any request for the object: all PEs have made
  // their parts, and data written by the other PEs of the node while making may be read.
  virtual void opened() {}

  // Number of this drop among the drops of this PE, or 0 while this PE's client has a handle of the
  // object (object_handle.hpp).
  std::uint64_t dropped_as = 0;
  // True if no PE has a handle of the object.
  bool is_garbage = false;
  bool is_active = false;  // under the engine's lock
};

// Throws contract_error unless an operation of this name may wait here: on the PE's thread, and
// outside handlers, as other PEs wait for the end of a handler.
inline void require_free(const substrate& world, const char* operation) {
  const progress& pe = progress::of_this_pe();
  world.require_owner(pe, operation);
  pe.refuse_within(operation);
}

// Functions are local and belong to the PE's thread, unless a comment says otherwise. Functions
// that wait serve other PEs meanwhile, and throw world_error if the world has failed.
class rpc_engine final : public world_finalizer, private mail_reader, private background_task {
 public:
  // Returns the engine of a world. Collective, as the first call makes the engine.
  static rpc_engine& of(substrate& world);

  // --- Making objects ---------------------------------------------------------------------------
  // An object is made in three steps: the PEs agree, each PE adds its part, and the PEs open the
  // object together. With the two synchronisations of `share_object_memory` these are four.
  //
  // Collective. Throws on all PEs as `agreement::require`. Destroys parts of objects that all PEs
  // have dropped.
  void agree(const agreement& on, std::string_view subject, std::string_view owner,
             std::span<std::uint64_t> maxima = {});
  // Makes this PE's part of an object, by `make(number)`. If `make` throws system_error, the object
  // counts as dropped by this PE, and the caller goes on to `open`, which throws on all PEs.
  using factory = std::function<std::unique_ptr<remote_object>(std::uint64_t number)>;
  remote_object& add(const factory& make);
  // Collective. Opens the object that was added last: when `open` returns, other PEs may reach the
  // part by its number. If a PE objects, `open` throws on all PEs: system_error if some PE could
  // not make its part for want of a resource, otherwise argument_error.
  void open(const agreement& ready, std::string_view subject, std::string_view owner);
  // Collective. Takes all three steps.
  remote_object& make(const agreement& on, std::string_view subject, std::string_view owner,
                      const factory& make, std::span<std::uint64_t> maxima = {});
  // Records that this PE has no handle of the object any more. Local.
  void drop(remote_object& object) noexcept;

  // Sends a request to a PE of another node. Returns when the data may be overwritten. Serves other
  // PEs now and then.
  void send(int pe, const written_request& r, std::span<const std::byte> data);
  // Sends a request with a reply: `take` is called with the reply, while this PE waits or flushes.
  // Returns the ticket for `wait`.
  using reply_handler = std::function<void(std::span<const std::byte>)>;
  using ticket = std::uint64_t;
  // `caller`: the object on whose behalf the reply is written to memory of the program.
  ticket call(int pe, written_request r, std::span<const std::byte> data, reply_handler take,
              const remote_object* caller = nullptr);
  // Drops the replies to requests of `caller`, whose memory is destroyed. Local.
  void forget_replies_to(const remote_object& caller) noexcept;
  void wait(ticket t);
  // Records that the last request to `pe` has been answered: all earlier requests have been
  // executed.
  void note_answered(int pe);
  // Calls `call`, `wait` and `note_answered`.
  void call_and_wait(int pe, const written_request& r, std::span<const std::byte> data,
                     reply_handler take);

  // Returns whether data and replies of up to `max_large_bytes` may go by a ticket.
  [[nodiscard]] bool moves_large_data() const { return mail_ != nullptr && large_.is_possible(); }
  // Sends as `send`, with data of at most `max_large_bytes`. Preconditions: moves_large_data();
  // before any other request to the PE, `await_large_sends` is called: the target holds other
  // requests back until the data are there, which come only when this PE calls Boxcar.
  void send_large(int pe, const request& r, std::span<const std::byte> data);
  // Returns when the data that were sent to `pe` by `send_large` are on their way.
  void await_large_sends(int pe);
  // Calls as `call`, for a reply of `r.elements` bytes, from `reply_bytes` to `max_large_bytes`.
  // Waits while `most_large_replies` such calls are pending, as each takes memory of its target.
  // Precondition: moves_large_data().
  ticket call_large(int pe, const request& r, reply_handler take, const remote_object* caller);

  using lock = std::unique_lock<std::mutex>;
  // Takes the progress thread's lock, if there is a progress thread.
  [[nodiscard]] lock acquire_lock() const {
    progress_context* const thread_context = world_.thread_context();
    return thread_context == nullptr ? lock() : thread_context->acquire_lock();
  }
  // Reserves room for the next request to a PE of another node (mailbox.hpp). Under the lock.
  [[nodiscard]] bool try_reserve(int pe);
  // Sends the request with the payload `head` and `body`. Precondition: `try_reserve` has reserved
  // the room. Under the lock.
  void send_now(int pe, const written_request& r, std::span<const std::byte> head,
                std::span<const std::byte> body);

  // Returns whether requests to `pe` are in flight.
  [[nodiscard]] bool has_outstanding(int pe);
  // `flush_async` sends a flush to the PE without waiting: if no more requests are sent to the PE
  // meanwhile, the reply says that no requests are in flight. `is_flushing` returns whether the
  // reply is outstanding.
  void flush_async(int pe);
  [[nodiscard]] bool is_flushing(int pe);
  // Makes the next flush ask the PE for a reply, even if no requests were sent to the PE.
  void require_flush(int pe);
  // Returns when all requests to `pe` have been executed and all replies of `pe` have been taken.
  void flush(int pe);
  void flush_all();

  // Called when the PE has nothing to do: serves other PEs, or waits as `substrate::idle` does.
  void idle();
  // Acts as `idle`, for a wait that no PE ends by `wake`.
  void idle_unrung();
  // Records the end of a wait.
  void end_wait();
  // Returns `is_there()`, a condition made true by another PE of the node. In a world of one node,
  // a PE that has a core polls the condition for about a microsecond first.
  template <typename Condition>
  [[nodiscard]] bool sees(const Condition& is_there) const;
  // Returns `is_there()`, evaluated again after one turn of waiting if false at first; without the
  // turn if the PE only looks (`looking`).
  template <typename Condition>
  [[nodiscard]] bool test(const Condition& is_there);
  // Makes progress once for other PEs, when the program tests for a change by other PEs and does
  // not wait.
  static void serve(substrate& world);
  // Calls `work` of the object in the next polls, as long as the object has work. Under the lock.
  void activate(remote_object& object) {
    if (std::exchange(object.is_active, true)) return;
    active_.push_back(&object);
    polls_objects_ = true;
  }
  // Polls the ready list from now on: PEs of the node may add an object. Under the lock.
  void watch_ready_list() { polls_objects_ = watches_ready_list_ = true; }
  // Makes every wait poll the engine, also in a world of one node, because a polled object has work
  // within the node.
  void work_within_node();

  void belong_to(progress& pe) override;
  [[nodiscard]] bool is_at_home() const override;
  void settle() override;
  void abandon() noexcept override;
  void close() noexcept override { server_.reset(); }
  [[nodiscard]] const char* name_of_end() const override {
    return "leaving a world with windows or collectives";
  }

 private:
  static constexpr std::ptrdiff_t most_large_replies = 4;

  struct pending_call {
    ticket number = 0;  // 0: the entry is free
    int pe = 0;
    reply_handler take;
    const remote_object* caller = nullptr;
    bool by_ticket = false;  // the reply is a ticket
  };
  struct peer {
    bool has_outstanding : 1 = false;  // requests to the PE may not have been executed
    bool is_flushing : 1 = false;      // a flush of `flush_async` is outstanding
    bool was_sent_more : 1 = false;    // since the flush
  };

  // A server is the pollable that keeps the requests of a thread going for as long as the world
  // belongs to the thread.
  class server;

  explicit rpc_engine(substrate& world);
  // Executes arrived requests, takes replies and lets polled objects work, by the PE. Returns false
  // if there was nothing to do.
  bool poll();
  // Executes arrived requests and takes replies, by the PE or its progress thread. Under the lock.
  // Returns false if nothing has arrived.
  bool take_mail() { return mail_ != nullptr && mail_->poll(*this); }
  // Polls the mailbox and the polled objects, by the progress thread under its lock.
  bool work() noexcept override;
  // Lets polled objects and active objects work, and executes requests whose data have arrived;
  // false if there was nothing to do.
  bool poll_objects();
  // Activates the objects of the ready list. Under the lock.
  void take_ready();
  // Returns whether any object has work. Under the lock.
  [[nodiscard]] bool any_has_work() const;
  [[nodiscard]] bool has_work() const;
  // Records that a request to `pe` is in flight. Under the lock.
  void note_request_to(int pe) {
    if (!room_kept_at_.empty()) std::erase(room_kept_at_, pe);
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.was_sent_more = true;
    if (p.has_outstanding) return;
    p.has_outstanding = true;
    behind_.push_back(pe);
  }
  // Records that no request to `pe` is in flight; returns false if none was. Under the lock.
  bool forget_requests_to(int pe);
  // Completes the operations that bypass the engine.
  void complete_all();
  // Calls `wait` without the lock: the progress thread may work while the PE waits.
  template <typename Wait>
  static void wait_without(lock& l, const Wait& wait);
  template <typename Condition>
  void wait_while(const Condition& is_to_come);
  // Waits for room, and sends. Precondition: there was no room. Under the lock.
  void send_when_there_is_room(lock& l, int pe, const written_request& r,
                               std::span<const std::byte> data, int place);
  // Calls as `call`; `by_ticket`: the reply is a ticket.
  ticket call_for(int pe, written_request r, std::span<const std::byte> data, reply_handler take,
                  const remote_object* caller, bool by_ticket);
  // Takes a request whose data or reply go by a ticket, or that may have to wait for earlier data.
  // Returns false if the request has to wait.
  bool take_unusual_request(int from, const request& r, std::span<const std::byte> data);
  [[gnu::always_inline]] inline void execute(const request& r, std::span<const std::byte> data,
                                             reply_room& reply);
  // Executes a request, and replies if the PE waits for a reply. Returns false if there is no room
  // for the reply.
  [[gnu::always_inline]] inline bool execute_and_reply(int from, const request& r,
                                                       std::span<const std::byte> data);
  // Executes a request whose reply is offered. Returns false if there is no room.
  bool execute_and_offer(int from, const request& r, std::span<const std::byte> data);
  // Fetches the data of a request by a ticket; the request is executed then.
  void fetch_data(int from, const request& r, std::span<const std::byte> by);
  bool take_request(int from, std::span<const std::byte> message) override;
  void take_reply(int from, int place, std::span<const std::byte> message) override;
  // Returns the object; nullptr if all PEs have dropped the object: late requests have no target.
  // Under the lock.
  [[nodiscard]] remote_object* find(std::uint64_t number);
  // Finds an object that the cache does not have. (Not inlined: `find` is called per request.)
  [[nodiscard, gnu::noinline]] remote_object* look_up(std::uint64_t number);
  // Collective. Destroys the objects of which no PE has a handle. `last_drop`: the number of the
  // last drop of this PE before the agreement; `dropped_by_each`: the smallest number of dropped
  // objects of any PE then.
  void collect_garbage(std::uint64_t last_drop, std::uint64_t dropped_by_each);
  // Lets other PEs reach the object that was added last. Under the lock.
  void open_added();
  void wait(const pause_reason& why);

  substrate& world_;
  std::shared_ptr<mailbox> mail_;  // nullptr in a world of one node
  large_data large_;               // under the lock
  bool is_needed_;                 // a waiting PE polls the engine
  // The objects by number; the numbers are the same on all PEs. Some objects may be dropped here.
  std::map<std::uint64_t, std::unique_ptr<remote_object>> objects_;
  // A cache of `find`, by the lowest bits of the number; nullptr: no object has the number.
  struct found {
    std::uint64_t number = 0;
    remote_object* object = nullptr;
  };
  std::array<found, 8> found_{};
  remote_object* added_ = nullptr;      // the object that is not open yet
  std::string shortage_;                // why this PE could not make its part of `added_`
  std::vector<remote_object*> active_;  // `work` is called in every poll
  ready_list ready_;
  bool watches_ready_list_ = false;
  bool polls_objects_ = false;  // active objects, the ready list, or data that are fetched
  std::vector<remote_object*> bypassing_;
  std::uint64_t drops_ = 0;    // number of drops by this PE
  std::uint64_t dropped_ = 0;  // number of objects here that this PE has dropped
  // The smallest number of dropped objects of any PE when a collection last found no garbage, as no
  // object was dropped by all PEs; 0 if the last collection found garbage.
  std::uint64_t dropped_in_vain_ = 0;
  std::array<pending_call, reply_places> pending_calls_;
  ticket last_ticket_ = 0;
  pe_table<peer> peers_;
  std::vector<int> behind_;  // PEs to which requests are in flight
  // PEs at which room is reserved, without a request since.
  std::vector<int> room_kept_at_;
  std::shared_ptr<server> server_;
  std::uint32_t waits_ = 0;
  std::uint32_t sends_since_poll_ = 0;
  bool thread_has_worked_ = false;     // since the PE polled last
  std::exception_ptr thread_problem_;  // for the PE
};

template <typename Condition>
bool rpc_engine::sees(const Condition& is_there) const {
  constexpr int looks = 1000;
  const bool only_looks = world_.has_core() && world_.layout().nodes() == 1;
  for (int i = only_looks ? looks : 0; i != 0 && !is_there(); --i) {
  }
  return is_there();
}

template <typename Condition>
bool rpc_engine::test(const Condition& is_there) {
  if (!is_there()) {
    if (looking::is_on()) {
      world_.look();
      world_.check_failure();
    } else {
      world_.idle({.acts_by_itself = true});
    }
  }
  if (!is_there()) return false;
  world_.busy();
  return true;
}

}  // namespace boxcar::detail
