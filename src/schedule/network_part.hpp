// A PE's part of a schedule that the network executes: counters and operations of deferred work.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "one_sided/rpc_engine.hpp"
#include "schedule/address_exchange.hpp"
#include "schedule/backend.hpp"
#include "schedule/matching.hpp"
#include "schedule/schedule_graph.hpp"
#include "substrate/deferred_work.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {

// The part lives for as long as other PEs may put into its memory.
class network_part final : public remote_object {
  using counter = deferred_work::counter;
  using due = deferred_work::due;
  using place = deferred_work::place;

 public:
  network_part(substrate& world, const matched_schedule& what, std::unique_ptr<deferred_work> work);

  // Creates the counters, and the memory that remote PEs put into.
  void make_counters();
  // Address messages go to each partner PE; `make_items` builds the operations from the address
  // messages of the partners.
  [[nodiscard]] std::map<int, address_message> address_messages() const;
  void make_items(const std::map<int, address_message>& from);

  // Callers hold the engine's lock: only a single thread at a time uses the network.
  void start();
  [[nodiscard]] bool has_ended() const { return work_->value(ends_) >= runs_ * ends_in_a_run_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  void require_success() { work_->require_success(); }
  void cancel() noexcept {
    is_given_up_ = true;
    work_->cancel();
  }
  [[nodiscard]] const deferred_work::share& shared() const { return work_->shared(); }

  [[nodiscard]] std::string text() const { return graph_.text(partners_); }
  [[nodiscard]] std::string graphviz() const { return graph_.graphviz(partners_); }
  [[nodiscard]] std::string explain(const substrate& world) const;

  void execute(const request& /*r*/, std::span<const std::byte> /*data*/,
               reply_room& /*reply*/) override {}
  [[nodiscard]] bool is_polled() const override { return true; }
  bool work() override;
  [[nodiscard]] bool has_work() override;
  void dropped() noexcept override { thrown_.report(world_); }
  [[nodiscard]] thrown_by_function& thrown() { return thrown_; }

 private:
  // Counters say when a vertex may start and when the vertex is complete.
  struct vertex_counters {
    std::size_t inputs = 0;            // number of inputs before the start
    std::optional<counter> waits;      // counts the inputs if there are several
    counter complete = {};             // `ends_` if nothing depends on the vertex
    std::uint64_t completions = 1;     // in a run
    place others = {};                 // target of the partner's puts, for a message
    std::span<std::byte> shadow = {};  // of an eager receive
  };

  [[nodiscard]] static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] bool is_running() const { return !is_given_up_ && !has_ended(); }
  [[nodiscard]] bool is_left_to_pe(std::size_t i) const;
  [[nodiscard]] std::uint64_t pieces_of(std::size_t i) const;
  // A word replaces empty memory.
  [[nodiscard]] std::span<std::byte> or_word(std::span<std::byte> memory) {
    return memory.empty() ? std::as_writable_bytes(std::span(&words_[0], 1)) : memory;
  }
  [[nodiscard]] std::span<const std::byte> or_word(std::span<const std::byte> memory) const {
    return memory.empty() ? std::as_bytes(std::span(&words_[1], 1)) : memory;
  }
  [[nodiscard]] due when(std::size_t i) const;
  void add_vertex(std::size_t i, const place& there);
  void leave_to_pe(std::size_t i);
  void grant(due when, std::size_t i, const place& there);

  schedule_graph graph_;
  std::vector<vertex_place> partners_;
  std::vector<int> numbers_;
  std::vector<bool> is_eager_;
  std::vector<std::byte> shadows_;
  std::array<std::uint64_t, 2> words_{};  // written by other PEs; put by the local PE
  std::unique_ptr<deferred_work> work_;
  std::vector<vertex_counters> counters_;
  std::optional<std::size_t> first_call_;  // a vertex
  counter begin_ = {};
  counter ends_ = {};
  std::uint64_t ends_in_a_run_ = 0;
  std::uint64_t max_in_a_run_ = 1;
  std::uint64_t runs_ = 0;
  bool is_given_up_ = false;
  thrown_by_function thrown_;
  substrate& world_;
  std::optional<std::chrono::nanoseconds> failed_at_;
};

}  // namespace boxcar::detail
