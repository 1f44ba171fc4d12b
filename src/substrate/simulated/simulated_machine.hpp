// The machine of a simulation runs one PE at a time, until the PE waits, and always the PE whose
// time comes first on its node. The machine also moves the clock.
//
// Nodes take turns, as events between nodes take some time (event_queue.hpp). A PE may see other
// properties of another node early by as much, such as room for a request, or the departure of a
// PE.
//
// A PE has a clock of its own, ahead of the machine's clock by the cost of the PE's operations. A
// message to another node leaves at the time on the PE's clock. A store to memory is done at once,
// so that a PE that polls in the meantime may see the store a little early; a waiting PE is woken
// when the store is due.
//
// In a chosen order (chosen_order.hpp), time does not decide. A chooser picks one of the possible
// events (PEs that go on, messages that arrive, wakes, and the ends of waits), and a PE gives way
// whenever other PEs may see its actions.
//
// A waiting PE that is woken for nothing would look again, find nothing and wait. The PE does not
// run then: the machine does the work of the PE (`look_in_vain`), at the same time and cost.
//
// PEs can never go on when no event is left, or, if some PEs look again and again, when nothing has
// happened for long. The stuck PEs are found as on other substrates (stall/deadlock.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/simulate.hpp>

#include "substrate/node_layout.hpp"
#include "substrate/progress.hpp"
#include "substrate/simulated/buffer_pool.hpp"
#include "substrate/simulated/bulk.hpp"
#include "substrate/simulated/chosen_order.hpp"
#include "substrate/simulated/event_queue.hpp"
#include "substrate/simulated/fiber.hpp"
#include "substrate/simulated/fiber_stacks.hpp"
#include "substrate/simulated/network_model.hpp"
#include "substrate/simulated/shared_cores.hpp"
#include "substrate/simulated/simulated_message.hpp"
#include "substrate/stall/pause_reason.hpp"

namespace boxcar::detail {

class simulated_machine {
 public:
  // The entry of a PE, called each time before the PE runs.
  using entry = std::function<void(int rank)>;

  // The order is by time, or chosen. A non-empty `enter` may put memory of one PE in the place of
  // another PE's memory: no PE sees the memory of another PE unless they share memory. Throws
  // argument_error, system_error.
  explicit simulated_machine(const simulate_options& options, const chosen_order* order = nullptr,
                             entry enter = {});
  simulated_machine(const simulated_machine&) = delete;
  simulated_machine& operator=(const simulated_machine&) = delete;

  // Calls `pe` once on each PE, and returns when all calls have returned. `pe` must not throw.
  void run(const std::function<void(int rank)>& pe);
  [[nodiscard]] simulation result() const;

  [[nodiscard]] int pes() const { return layout_.pes(); }
  [[nodiscard]] const node_layout& layout() const { return layout_; }
  [[nodiscard]] const network_model& network() const { return network_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] bool runs_by_time() const { return !order_; }
  // Returns true if all PEs see all memory, and an address means the same on each.
  [[nodiscard]] bool has_one_memory() const { return !enter_; }
  [[nodiscard]] buffer_pool& buffers() { return buffers_; }
  [[nodiscard]] simulated_bulk& bulk() { return bulk_; }
  void share(std::size_t bytes);
  void unshare(std::size_t bytes) { shared_ -= bytes; }

  // --- Functions for the running PE -------------------------------------------------------------
  [[nodiscard]] moment clock() const { return here().clock; }
  // Notes that the PE has been busy for `duration`.
  void charge(moment duration) { here().clock += duration; }
  // Notes that the PE has got something done.
  void busy();
  // Called when the PE has found nothing to do: waits a little, or until something happens to the
  // PE. Throws world_error if the world has failed. Returns true if several calls in a row found
  // nothing.
  bool idle(const pause_reason& why);
  // Called when the PE looks for something, perhaps again and again. Throws world_error if the
  // world has failed, or nothing but looks has happened for too long.
  void look();
  // Waits until `then`, or until something happens to the PE.
  void wait_until(moment then);
  // Returns when the PE is no longer ahead of the next event.
  void fall_in_step();
  // Lets other PEs come first, in a chosen order.
  void hand_over() {
    if (!order_) return;
    be_ready();
    // A PE that never looks finds out in no other way that it goes round in circles.
    if (choices_ > 2 * order_->longest) check_failure();
  }
  // Lets other PEs come first, in a chosen order, also if the world has failed.
  void step_aside() noexcept {
    if (order_) be_ready();
  }
  void send(std::unique_ptr<simulated_message> p);
  void check_failure() const;

  // --- Functions for any PE, by its rank in the job ---------------------------------------------
  // Rings for the PE at the moment `at`; without `of_use`, the ring does not let the PE go on.
  void ring(int pe, moment at, bool of_use = true);
  // Returns true if a message is in flight to the PE.
  [[nodiscard]] bool has_messages_in_flight(int pe) const {
    return messages_to_[static_cast<std::size_t>(pe)] != 0;
  }
  // Declares failure on behalf of a PE. The first failure stays; returns true if `pe` failed first.
  bool fail(int pe, const std::string& message) noexcept;

 private:
  enum class state : std::uint8_t { ready, running, waiting, over };

  // The message data needed on each step of the way, adjacent for all messages.
  struct alignas(64) message_in_flight {
    std::unique_ptr<simulated_message> itself;
    int from = 0;  // PEs
    int to = 0;
    passage on;  // between their nodes
  };

  // The members used each time come first.
  struct alignas(64) simulated_pe {
    moment clock = 0;
    moment deadline = never;     // of the wait
    moment next_expiry = never;  // the expiry in the queue
    moment next_wake = never;    // the wake in the queue
    moment waits_since = 0;
    const pause_reason* why = nullptr;  // while it waits
    std::uint32_t idle_polls = 0;       // calls of `idle` since the PE got something done
    int node = 0;
    state is = state::ready;
    bool is_rung = false;  // the PE may not have looked at everything
    bool has_news = true;  // something new may let the PE go on
    bool next_wake_is_of_use = false;
    bool idles = false;                   // the PE waits, and would find nothing without news
    bool looks_elsewhere = false;         // the PE or its program may, in between
    bool has_waited = false;              // instead of another look at once
    const std::byte* on_stack = nullptr;  // a stack address of the PE while the PE does not run
    std::optional<fiber> its_fiber;
    std::optional<progress> its_progress;
  };

  [[nodiscard]] simulated_pe& at(std::uint32_t pe) { return pes_[pe]; }
  [[nodiscard]] const simulated_pe& at(std::uint32_t pe) const { return pes_[pe]; }
  [[nodiscard]] simulated_pe& here() { return pes_[current_]; }
  [[nodiscard]] const simulated_pe& here() const { return pes_[current_]; }

  // Returns how long no event on a node has an effect on another node.
  [[nodiscard]] moment lookahead() const {
    return layout_.nodes() == 1 ? 0 : network_.min_latency();
  }
  // Returns the place of messages that have left their node.
  [[nodiscard]] int between_nodes() const { return layout_.nodes(); }

  // Prefetches memory for the next events: most of the time goes into memory unused for long.
  void look_ahead() const;
  void watch_memory();
  void happen(const event& e);
  event choose();
  void find_alternatives(bool expiries);
  [[nodiscard]] bool is_in_vain(const event& e) const;
  [[nodiscard]] bool is_overtaking(std::size_t place) const;
  [[nodiscard]] std::uint64_t actor_of(const event& e) const;
  void yield(event_kind kind) {
    if (order_) order_->by->yields(actor_of({.kind = kind, .which = current_}));
  }
  void fail_if_chosen();
  void run_pe(std::uint32_t pe, moment at);
  // --- Cores, where PEs share cores ---
  void begin_on_core(std::uint32_t pe, moment at);
  void give_core_back(std::uint32_t pe);
  [[nodiscard]] bool is_to_give_way(std::uint32_t pe) const {
    return cores_.are_shared() && cores_.is_to_give_way(pe, at(pe).clock);
  }
  void make_ready(std::uint32_t pe, moment at);
  void expire(std::uint32_t pe, moment at);
  void move_on(const event& e);
  void note(const event& e);
  void pause();
  void get_ready(std::uint32_t pe);
  // (A background fiber of a PE has a stack of its own, and pauses with the program.)
  void be_ready() {
    if (here().its_progress->is_in_background()) return;
    get_ready(current_);
    pause();
  }
  void get_to_wait(std::uint32_t pe, moment deadline);
  void find_nothing(std::uint32_t pe);
  static void end_idling(simulated_pe& p);
  void look_in_vain(std::uint32_t pe);
  // Returns true if nothing will happen but new looks of PEs for events.
  [[nodiscard]] bool is_quiet() const {
    return queue_.size() == expiries_ && acting_ == 0 && cores_.waiting() == 0;
  }
  void reset_quiet_time() { quiet_since_ = never; }
  // Lets the PEs fail with the reasons of their waits, when nothing happens any more.
  void report_stuck();

  std::optional<chosen_order> order_;
  std::vector<std::size_t> places_;          // of the possible next events, in the queue
  std::vector<std::uint64_t> alternatives_;  // the actors of the events
  std::uint32_t since_expiry_ = 0;           // choices
  std::uint64_t choices_ = 0;
  std::optional<std::uint32_t> failing_;  // the PE that is to fail
  std::size_t looks_left_ = 0;            // until the failure
  std::uint64_t seed_;
  entry enter_;
  node_layout layout_;
  network_model network_;
  moment patience_;
  shared_cores cores_;
  fiber_stacks stacks_;
  event_queue queue_;
  buffer_pool buffers_;
  simulated_bulk bulk_;
  std::unique_ptr<simulated_pe[]> pes_;  // by rank
  std::vector<message_in_flight> messages_;
  std::vector<std::uint32_t> messages_to_;  // how many, by PE
  std::vector<std::uint32_t> free_messages_;
  moment now_ = 0;
  std::uint32_t current_ = 0;
  int alive_ = 0;
  std::size_t expiries_ = 0;  // in the queue
  int acting_ = 0;            // PEs that will act by themselves after a wait
  moment quiet_since_ = never;
  std::uint64_t next_look_at_memory_ = 0;  // in events
  std::optional<int> failed_;
  std::string failure_;
  std::size_t shared_ = 0;
  simulation so_far_;
};

}  // namespace boxcar::detail
