// The active-message engine of one-sided objects between nodes. If the substrate's own operations
// cannot access a remote object (a window, a counter, an append buffer), the origin sends a
// request, and the target PE executes the request when the target makes progress. Each PE has one
// desk per world, made with the first object.
//
// Requests of one PE to another are carried out in the order in which they were sent. That they
// have been carried out is known by a reply: to themselves, or to a later one, a flush.
//
// Where the PE has a helper (substrate/pe_helper.hpp), that carries out requests and takes
// replies, too. It shares the mailbox, the objects and the replies that are waited for, which are
// touched under its lock only. What it does the PE learns by the same lock, or by the atomic
// operations of the objects.
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
#include <vector>

#include <boxcar/detail/pe_table.hpp>

#include "one_sided/request.hpp"
#include "substrate/agreement.hpp"
#include "substrate/looking.hpp"
#include "substrate/mailbox.hpp"
#include "substrate/pe_helper.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

// What a reply can say.
inline constexpr std::size_t reply_bytes = message_bytes;

// Room for a reply, and how much of it has been written.
struct reply_room {
  std::span<std::byte, reply_bytes> room;
  std::size_t bytes = 0;
};

// This PE's part of something that others reach by requests.
class reachable {
 public:
  virtual ~reachable() = default;
  virtual void carry_out(const request& r, std::span<const std::byte> data, reply_room& reply) = 0;
  // If it is a counter: so many bytes have arrived that it is to count.
  virtual void count(std::size_t /*bytes*/) {}
  // It has more to do than to carry out requests: the desk calls `work` whenever it polls.
  [[nodiscard]] virtual bool is_worker() const { return false; }
  // Does what can be done now; false if there was nothing. Like `carry_out` under the desk's lock,
  // by the PE or its helper.
  virtual bool work() { return false; }
  // Something goes past the desk: `complete` completes that; what is to follow it there is sent to
  // the desk by this.
  [[nodiscard]] virtual bool goes_past_the_desk() const { return false; }
  virtual void complete() {}
  // There is something to do, now or later, that others may wait for.
  [[nodiscard]] virtual bool has_work() { return false; }

  // This PE's client drops it now, by its thread.
  virtual void dropped() noexcept {}
  // This PE has left its program by an exception: memory and functions of the program are gone.
  virtual void abandoned() noexcept {}

  // All PEs have made their parts of the object: what other PEs of the node have made may be read.
  // Called once, under the desk's lock, before any request for the object.
  virtual void opened() {}

  // Number of this drop among the drops of this PE, or 0 while this PE's client has a handle of the
  // object (object_handle.hpp).
  std::uint64_t dropped_as = 0;
  // Nor has any other PE.
  bool is_garbage = false;
};

// Throws contract_error unless an operation of this name may wait here: on the PE's thread, and not
// within a handler, on which others wait.
inline void require_free(const substrate& world, const char* operation) {
  const progress& pe = progress::of_this_pe();
  world.require_owner(pe, operation);
  pe.refuse_within(operation);
}

// Functions are local and belong to the PE's thread, unless said otherwise. Those that wait serve
// others meanwhile; they throw world_error if the world has failed.
class request_desk final : public companion, private mail_reader, private background_work {
 public:
  // Collective: that of this world.
  static request_desk& of(substrate& world);

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
  using making = std::function<std::unique_ptr<reachable>(std::uint64_t number)>;
  reachable& add(const making& make);
  // Collective. Opens the object that was added last: when `open` returns, other PEs may reach the
  // part by its number. If a PE objects, `open` throws on all PEs: system_error if some PE could
  // not make its part for want of a resource, otherwise argument_error.
  void open(const agreement& ready, std::string_view subject, std::string_view owner);
  // Collective. Takes all three steps.
  reachable& make(const agreement& on, std::string_view subject, std::string_view owner,
                  const making& make, std::span<std::uint64_t> maxima = {});
  // Local: this PE has no handle of it any more.
  void drop(reachable& object) noexcept;

  // To a PE of another node. Returns when the data may be overwritten. Serves others now and then.
  void send(int pe, const written_request& r, std::span<const std::byte> data);
  // The same, and `take` is called with the reply, while this PE waits for something or flushes.
  // Returns what `wait` takes.
  using taking = std::function<void(std::span<const std::byte>)>;
  using ticket = std::uint64_t;
  // `asker`: the object on whose behalf the reply is written to memory of the program.
  ticket ask(int pe, written_request r, std::span<const std::byte> data, taking take,
             const reachable* asker = nullptr);
  // Drops the replies to requests of `asker`, whose memory is destroyed. Local.
  void forget_replies_to(const reachable& asker) noexcept;
  void wait(ticket t);
  // The last request to `pe` has been answered: so all before it have been carried out.
  void has_answered(int pe);
  // All three.
  void ask_and_wait(int pe, const written_request& r, std::span<const std::byte> data, taking take);

  using lock = std::unique_lock<std::mutex>;
  // Keeps the helper out, if there is one.
  [[nodiscard]] lock keep_out() const {
    pe_helper* const helper = world_.helper();
    return helper == nullptr ? lock() : helper->keep_out();
  }
  // Under the lock. Reserves room for the next request to a PE of another node (mailbox.hpp).
  [[nodiscard]] bool try_reserve(int pe);
  // Then sends it: what it says is `head` and `body`.
  void send_now(int pe, const written_request& r, std::span<const std::byte> head,
                std::span<const std::byte> body);

  // Requests from here to `pe` are under way.
  [[nodiscard]] bool is_behind(int pe);
  // Asks the PE for a reply that says, if no more is sent to it meanwhile, that none are any more;
  // and whether that is so that it was asked, and has not replied yet.
  void catch_up(int pe);
  [[nodiscard]] bool is_catching_up(int pe);
  // A flush is to ask the PE for a reply, though nothing was sent to it.
  void owe_flush(int pe);
  // Returns when all requests from here to `pe` have been carried out and all replies been taken.
  void flush(int pe);
  void flush_all();

  // Has nothing to do; keeps going what others may wait for. As `substrate::idle`.
  void idle();
  // The same where nobody rings for what is waited for.
  void idle_unrung();
  // What was waited for has come.
  void has_moved();
  // Whether `is_there()`, which another PE of the node makes true. Within a node a PE that has a
  // core looks for about a microsecond before it does anything else.
  template <typename Condition>
  [[nodiscard]] bool sees(const Condition& is_there) const;
  // Whether it is; if not at first, after one turn of waiting, unless the PE only looks
  // (`looking`).
  template <typename Condition>
  [[nodiscard]] bool test(const Condition& is_there);
  // The program looks at something that others change, and does not wait: does once for others what
  // they may wait for.
  static void serve(substrate& world);
  // A worker has work within the node, too: which otherwise does without this desk.
  void work_within_node();

  void belong_to(progress& pe) override;
  [[nodiscard]] bool is_at_home() const override;
  void settle() override {
    complete_all();
    flush_all();
  }
  void abandon() noexcept override;
  [[nodiscard]] const char* name_of_end() const override { return "leaving a world with windows"; }

 private:
  struct asked {
    ticket number = 0;  // 0: it is free
    int pe = 0;
    taking take;
    const reachable* asker = nullptr;
  };
  struct peer {
    bool is_behind : 1 = false;       // requests to it may not have been carried out
    bool is_catching_up : 1 = false;  // it was asked whether they have
    bool was_sent_more : 1 = false;   // since then
  };

  // What keeps a thread's requests going for as long as the world belongs to it.
  class server;

  explicit request_desk(substrate& world);
  // Carries out what has arrived. False if nothing has.
  bool poll();
  // The same, by the PE or its helper.
  bool take_mail() { return mail_ != nullptr && mail_->poll(*this); }
  // The same by the helper, under its lock.
  bool work() noexcept override;
  // Lets workers work; false if there was nothing to do.
  bool make_workers();
  // Under the lock.
  [[nodiscard]] bool any_has_work() const;
  [[nodiscard]] bool has_work() const;
  // A request is under way to it. Under the lock.
  void note_request_to(int pe) {
    if (!room_kept_at_.empty()) std::erase(room_kept_at_, pe);
    peer& p = peers_[static_cast<std::uint32_t>(pe)];
    p.was_sent_more = true;
    if (p.is_behind) return;
    p.is_behind = true;
    behind_.push_back(pe);
  }
  // Nothing is any more. Under the lock.
  bool forget_requests_to(int pe);
  // Of what goes past the desk.
  void complete_all();
  // Lets the helper in while the PE waits.
  template <typename Wait>
  static void wait_without(lock& l, const Wait& wait);
  template <typename Condition>
  void wait_while(const Condition& is_to_come);
  // Under the lock; there was none.
  void send_when_there_is_room(lock& l, int pe, const written_request& r,
                               std::span<const std::byte> data, int place);
  bool take_request(int from, std::span<const std::byte> message) override;
  void take_reply(int place, std::span<const std::byte> message) override;
  // nullptr: all PEs have dropped it, and what still comes is for nobody. Under the lock.
  [[nodiscard]] reachable* find(std::uint64_t number);
  // Collective. Destroys the parts that no PE has a handle of. `last_drop`: of the drops of this PE
  // before the agreement; `dropped_by_each`: the smallest number of dropped parts of any PE then.
  void collect_garbage(std::uint64_t last_drop, std::uint64_t dropped_by_each);
  // Lets other PEs reach the object that was added last. Under the lock.
  void open_added();
  void wait(const pause_reason& why);

  substrate& world_;
  std::shared_ptr<mailbox> mail_;  // none in a world of one node
  bool is_needed_;                 // it has something to do when the PE waits
  // The same numbers on all PEs: some may be dropped here.
  std::map<std::uint64_t, std::unique_ptr<reachable>> objects_;
  // Those that were looked for last, or that there is none of that number: by some of its bits.
  struct found {
    std::uint64_t number = 0;
    reachable* object = nullptr;
  };
  std::array<found, 8> found_{};
  reachable* added_ = nullptr;  // the object that is not open yet
  std::string shortage_;        // why this PE could not make its part of that object
  std::vector<reachable*> workers_;
  std::vector<reachable*> past_the_desk_;
  std::uint64_t drops_ = 0;    // number of drops by this PE
  std::uint64_t dropped_ = 0;  // number of objects here that this PE has dropped
  // So many had been dropped by each PE when none went, as none was dropped by all.
  std::uint64_t dropped_in_vain_ = 0;
  std::array<asked, reply_places> asked_;
  ticket last_ticket_ = 0;
  pe_table<peer> peers_;
  std::vector<int> behind_;  // those PEs
  // PEs at which room was asked for, to which nothing was sent since.
  std::vector<int> room_kept_at_;
  std::shared_ptr<server> server_;
  std::uint32_t waits_ = 0;
  std::uint32_t sends_since_poll_ = 0;
  bool has_been_helped_ = false;        // since the PE polled last
  std::exception_ptr helpers_problem_;  // for the PE
};

template <typename Condition>
bool request_desk::sees(const Condition& is_there) const {
  constexpr int looks = 1000;
  const bool only_looks = world_.has_core() && world_.layout().nodes() == 1;
  for (int i = only_looks ? looks : 0; i != 0 && !is_there(); --i) {
  }
  return is_there();
}

template <typename Condition>
bool request_desk::test(const Condition& is_there) {
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
