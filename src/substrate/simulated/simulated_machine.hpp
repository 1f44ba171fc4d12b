// The machine that the PEs of a simulation run on: it runs one of them at a time, each until it
// waits, always the one of its node whose time comes first; and it moves the clock.
//
// Nodes have turns, as events between them take some time (event_queue.hpp). What one sees of
// another by other ways, whether there is room for a request or a PE has left, may be early by as
// much.
//
// A PE has a clock of its own, which runs ahead of the machine's by what its operations cost. What
// it sends to other nodes leaves at the time on that clock. What it stores in memory is there at
// once, so a PE that polls in the meantime may see it a little early; whoever waits is woken when
// it is due.
//
// Where the order is chosen (chosen_order.hpp), time does not say who comes next: of what could
// happen, PEs that go on, parcels that arrive, wakes and waits that end, a chooser picks one, and
// PEs give way whenever others may see what they did.
//
// A PE that waits and is woken by what it can make no use of would look again, find nothing and
// wait. It does not run then: what it would do, the machine does for it (`look_in_vain`), at the
// same time and cost.
//
// PEs can never go on when nothing is left to happen; or, where some look again and again, when
// nothing has happened for long. Which of them are stuck is found as on other substrates
// (stall/deadlock.hpp).
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
#include "substrate/simulated/parcel.hpp"
#include "substrate/simulated/shared_cores.hpp"
#include "substrate/stall/pause_reason.hpp"

namespace boxcar::detail {

class simulated_machine {
 public:
  // Called each time before a PE runs.
  using entry = std::function<void(int rank)>;

  // By time, or in an order that is chosen. With an `enter` that is not empty, what it does may put
  // some of the memory of one PE in the place of another one's: no PE sees the memory of another
  // unless they share it. Throws argument_error, system_error.
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
  // All PEs see all memory, and an address means the same on each.
  [[nodiscard]] bool has_one_memory() const { return !enter_; }
  [[nodiscard]] buffer_pool& buffers() { return buffers_; }
  [[nodiscard]] simulated_bulk& bulk() { return bulk_; }
  void share(std::size_t bytes);
  void unshare(std::size_t bytes) { shared_ -= bytes; }

  // --- Of the PE that runs ----------------------------------------------------------------------
  [[nodiscard]] moment clock() const { return here().clock; }
  // It has been busy for so long.
  void charge(moment duration) { here().clock += duration; }
  // It has got something done.
  void busy();
  // It has found nothing to do: waits a little, or until something happens to it. Throws
  // world_error if the world has failed. True if it was worth nothing several times in a row.
  bool idle(const pause_reason& why);
  // It looks for something, and may do so again and again. Throws world_error if the world has
  // failed, or nothing but that has happened for too long.
  void look();
  // Waits until then, or until something happens to it.
  void wait_until(moment then);
  // Returns when it is no longer ahead of what happens next.
  void fall_in_step();
  // Where the order is chosen, others may come first now.
  void hand_over() {
    if (!order_) return;
    be_ready();
    // Who never looks does not hear in any other way that it goes round in circles.
    if (choices_ > 2 * order_->longest) check_failure();
  }
  // The same, also if the world has failed.
  void step_aside() noexcept {
    if (order_) be_ready();
  }
  void send(std::unique_ptr<parcel> p);
  void check_failure() const;

  // --- Of any PE, by its rank in the job --------------------------------------------------------
  // There is something for it at that time; not `of_use`: but nothing by which it can go on.
  void ring(int pe, moment at, bool of_use = true);
  // Something is on the way to it from another node.
  [[nodiscard]] bool has_parcels_under_way(int pe) const {
    return parcels_to_[static_cast<std::size_t>(pe)] != 0;
  }
  // Declares failure on behalf of a PE. The first one stays; true if it was this PE's.
  bool fail(int pe, const std::string& message) noexcept;

 private:
  enum class state : std::uint8_t { ready, running, waiting, over };

  // What is needed on each step of its way, where all others have theirs.
  struct alignas(64) parcel_under_way {
    std::unique_ptr<parcel> itself;
    int from = 0;  // PEs
    int to = 0;
    passage on;  // between their nodes
  };

  // What is needed each time comes first.
  struct alignas(64) simulated_pe {
    moment clock = 0;
    moment deadline = never;     // of its wait
    moment next_expiry = never;  // the event that is in the queue
    moment next_wake = never;    // as well
    moment waits_since = 0;
    const pause_reason* why = nullptr;  // while it waits
    std::uint32_t fruitless = 0;        // calls of `idle` since it got something done
    int node = 0;
    state is = state::ready;
    bool is_rung = false;  // there may be something that it has not looked at
    bool has_news = true;  // and by which it may be able to go on
    bool next_wake_is_of_use = false;
    bool idles = false;                   // it waits, and without news would find nothing
    bool looks_elsewhere = false;         // or its program does, in between
    bool has_waited = false;              // rather than look again at once
    const std::byte* on_stack = nullptr;  // where it is on its stack, while it does not run
    std::optional<fiber> its_fiber;
    std::optional<progress> its_progress;
  };

  [[nodiscard]] simulated_pe& at(std::uint32_t pe) { return pes_[pe]; }
  [[nodiscard]] const simulated_pe& at(std::uint32_t pe) const { return pes_[pe]; }
  [[nodiscard]] simulated_pe& here() { return pes_[current_]; }
  [[nodiscard]] const simulated_pe& here() const { return pes_[current_]; }

  // How long nothing of what a node does is felt at another one.
  [[nodiscard]] moment lookahead() const {
    return layout_.nodes() == 1 ? 0 : network_.least_latency();
  }
  // The place where parcels are that have left their node.
  [[nodiscard]] int between_nodes() const { return layout_.nodes(); }

  // Most of the time goes into memory that has been out of use for long: asks for that of what will
  // happen soon.
  void look_ahead() const;
  void watch_memory();
  void happen(const event& e);
  event choose();
  void find_alternatives(bool expiries);
  [[nodiscard]] bool is_in_vain(const event& e) const;
  [[nodiscard]] bool is_overtaking(std::size_t place) const;
  [[nodiscard]] std::uint64_t actor_of(const event& e) const;
  void yield(event_kind kind);
  void fail_if_chosen();
  void run_pe(std::uint32_t pe, moment at);
  // --- Of cores, where PEs share them ---
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
  // (What runs beside the program of a PE has a stack of its own, and pauses with the program.)
  void be_ready() {
    if (here().its_progress->is_in_background()) return;
    get_ready(current_);
    pause();
  }
  void get_to_wait(std::uint32_t pe, moment deadline);
  void find_nothing(std::uint32_t pe);
  static void end_idling(simulated_pe& p);
  void look_in_vain(std::uint32_t pe);
  // Nothing will happen but that PEs look again whether anything has.
  [[nodiscard]] bool is_quiet() const {
    return queue_.size() == expiries_ && acting_ == 0 && cores_.waiting() == 0;
  }
  void stir() { quiet_since_ = never; }
  // Nothing happens any more: lets the PEs fail, with what they wait for.
  void report_stuck();

  std::optional<chosen_order> order_;
  std::vector<std::size_t> places_;          // of what may come next, in the queue
  std::vector<std::uint64_t> alternatives_;  // whose that is
  std::uint32_t since_expiry_ = 0;           // choices
  std::uint64_t choices_ = 0;
  std::optional<std::uint32_t> failing_;  // the PE that is to fail
  std::size_t looks_left_ = 0;            // until it does
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
  std::vector<parcel_under_way> parcels_;
  std::vector<std::uint32_t> parcels_to_;  // how many, by PE
  std::vector<std::uint32_t> free_parcels_;
  moment now_ = 0;
  std::uint32_t current_ = 0;
  int alive_ = 0;
  std::size_t expiries_ = 0;  // in the queue
  int acting_ = 0;            // PEs that will act by themselves when they have waited
  moment quiet_since_ = never;
  std::uint64_t next_look_at_memory_ = 0;  // as events are counted
  std::optional<int> failed_;
  std::string failure_;
  std::size_t shared_ = 0;
  simulation so_far_;
};

}  // namespace boxcar::detail
