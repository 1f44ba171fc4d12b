// The common engine of all conveyors on a PE: the contract, the porters of the hops, the pivots
// between hops, the current buffer, and the statistics. Fixed-size and elastic conveyors write
// packets into the engine's lanes and read packets from its last hop.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <boxcar/codec.hpp>
#include <boxcar/conveyor_state.hpp>
#include <boxcar/statistics.hpp>

#include "conveyor/alert.hpp"
#include "conveyor/configuration.hpp"
#include "conveyor/contract.hpp"
#include "conveyor/hops.hpp"
#include "conveyor/pivot.hpp"
#include "porter/porter.hpp"
#include "route/steps_of_pe.hpp"
#include "substrate/stall/pe_watch.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class engine final : public watched_session {
 public:
  // Collective.
  engine(std::shared_ptr<substrate> world, const configuration& chosen);
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  ~engine();

  // --- Sessions ---------------------------------------------------------------------------------
  // Collective. Precondition: the contract allows begin. `item_bytes` is the size of every item; 0:
  // sizes differ.
  void begin(std::size_t item_bytes);
  // Collective. Precondition: the contract allows reset, and the conveyor is not dormant.
  // `come_together`, if given, may synchronise all PEs, and returns whether it has done so.
  void reset(const std::function<bool()>& come_together = {});
  // Changes the configuration from the next session on. Collective. Precondition: the conveyor is
  // dormant. Throws system_error on all PEs if memory is insufficient; then the conveyor must be
  // rebuilt before the next session.
  void rebuild(const configuration& next);
  // Records the time of the world's clock at which the session became complete on the PE.
  void keep_time() { keeps_time_ = true; }
  [[nodiscard]] std::chrono::nanoseconds completed_at() const { return completed_at_; }
  void complete_now() { completed_at_ = world_->now(); }
  // Precondition: the contract allows advance. `unread` is the number of unread bytes of the
  // current buffer. `activity` changes when the client pulls.
  advance_result advance(bool done, std::size_t unread, std::uintptr_t activity);
  // See conveyor_base.
  void wait_for_pull(std::uintptr_t activity);
  // Collective. Precondition: the contract allows set_codec. Throws on all PEs unless the codecs of
  // all PEs have the same name, or all are nullptr.
  void set_codec(std::shared_ptr<codec> c);
  // Makes the world fail because a session was left unfinished.
  void abandon();
  [[nodiscard]] std::string abandoned_text() const;

  // --- Buffers ----------------------------------------------------------------------------------
  // Returns the lanes of all links, beginning with the first hop. Pushes use the lanes of the first
  // hop, and of later hops if earlier hops are skipped. Valid in a session.
  [[nodiscard]] lane* lanes() { return hops_->lanes(); }
  bool make_room(std::uint32_t link) { return hops_->make_room(link) || idle_or_throw(); }
  void send_now(std::uint32_t link) { hops_->send_now(link); }
  // Gives the current buffer back, and makes the next buffer current. Returns false if there is
  // none.
  bool next_buffer();
  // Returns the first packet of the buffer after the current buffer; nullptr if no buffer has
  // arrived. Precondition: arrivals are not compressed.
  const std::byte* next_unread() { return hops_ ? hops_->back().next_unread() : nullptr; }
  [[nodiscard]] bool has_buffer() const { return borrowed_; }
  // Valid if has_buffer().
  [[nodiscard]] const arrival& buffer() const { return current_; }
  [[nodiscard]] origin source_in_buffer() const { return steps_.source(current_.source); }

  // --- For the detection of stalled PEs ----------------------------------------------------------
  [[nodiscard]] std::uint64_t world_identity() const override { return world_->identity(); }
  void describe(pe_report& r) const override;
  [[nodiscard]] trace_log::place place() const override;
  [[nodiscard]] std::uint64_t unpulled_items() const override;
  [[nodiscard]] bool is_in_step() const override {
    return chosen_.synchronous && state() < conveyor_state::cleanup;
  }
  void watch_ends() noexcept override { watch_ = nullptr; }

  // --- Properties --------------------------------------------------------------------------------
  [[nodiscard]] substrate& world() const { return *world_; }
  [[nodiscard]] const std::shared_ptr<substrate>& shared_world() const { return world_; }
  [[nodiscard]] const configuration& chosen() const { return chosen_; }
  [[nodiscard]] const tagged_route& path() const { return steps_.path(); }
  // Returns the first steps of items. Valid in a session.
  [[nodiscard]] first_steps setting_out() { return steps_.setting_out(lanes()); }
  // Returns the codec for messages to other nodes, or nullptr.
  [[nodiscard]] const codec* between_nodes() const { return codec_.get(); }
  [[nodiscard]] contract& rules() { return rules_; }
  [[nodiscard]] const contract& rules() const { return rules_; }
  [[nodiscard]] conveyor_state state() const { return rules_.state(); }
  [[nodiscard]] int last_tag_bytes() const { return path().tag_bytes(path().hops() - 1); }

  // --- Statistics --------------------------------------------------------------------------------
  // Counts that only the conveyor can update.
  statistics counts;
  // Return the number of pushed packets, if items have one size, and the bytes of buffers that were
  // read and given back in the session.
  [[nodiscard]] std::uint64_t packets_pushed(std::size_t item_bytes) const;
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  // Returns `counts` and the statistics of the hops; while dormant, of the last session.
  [[nodiscard]] statistics session_statistics() const;
  // Returns the sum over all earlier sessions.
  [[nodiscard]] const statistics& earlier() const { return earlier_; }
  // Stores the final statistics of the session. Called before reset.
  void settle(const statistics& account) { settled_ = account; }

 private:
  [[nodiscard]] std::vector<link_plan> plans() const;
  void be_traced();
  void acquire();
  void release();
  [[nodiscard]] bool fits(std::size_t item_bytes) const {
    return item_bytes <= chosen_.buffer_bytes;
  }
  void start_hops(std::size_t item_bytes);
  // Collective. Throws on all PEs unless all sizes are equal and fit.
  void agree_on(std::size_t item_bytes);
  void synchronise();
  void give_back();
  bool drained(bool at_end) { return at_end && !hops_->back().poll_items(); }
  advance_result advance_asynchronously(bool done, bool at_end);
  advance_result advance_synchronously(bool done, bool at_end);
  // Returns the maximum of each value over all PEs.
  template <std::size_t N>
  std::array<std::uint64_t, N> decide(const std::array<std::uint64_t, N>& mine);
  void round(std::size_t hop);
  void wait_if_idle(bool done, std::uintptr_t activity);
  // Returns whether a push was refused recently.
  [[nodiscard]] bool is_refused() const;
  // Returns false; never blocks. Pull and push alone receive no messages; hence a client that only
  // polls is also informed if the world has failed.
  bool idle_or_throw();
  void enter_session(std::size_t item_bytes);
  // Returns the name of the current operation.
  [[nodiscard]] const char* called() const;
  void note_state() const;
  void leave_session();

  std::shared_ptr<substrate> world_;
  configuration chosen_;
  steps_of_pe steps_;
  contract rules_;
  std::shared_ptr<codec> codec_;
  std::optional<hops> hops_;   // none while dormant if memory is dynamic
  std::vector<pivot> pivots_;  // pivot i moves arrivals of hop i
  arrival current_;
  bool borrowed_ = false;
  std::uint64_t bytes_read_ = 0;
  std::uintptr_t activity_ = 0;  // of the client, when the PE was last found idle
  std::uint64_t written_ = 0;    // bytes to all lanes at that time
  pe_watch* watch_ = nullptr;    // of the PE, in a session
  std::uint64_t number_;         // number among the objects of the world
  std::uint64_t sessions_ = 0;
  std::uint32_t traced_ = 0;    // number of the conveyor in the trace
  std::size_t item_bytes_ = 0;  // as given to begin
  std::size_t unread_ = 0;      // bytes of the current buffer, at the last advance
  std::uint64_t blocked_before_ = 0;
  std::uint64_t refused_at_ = 0;  // number of advances before the last refused push
  bool waits_for_pull_ = false;
  bool keeps_time_ = false;
  std::chrono::nanoseconds completed_at_{0};
  bool stepped_ = false;       // buffers moved on a synchronous hop in the current advance
  std::uint32_t in_vain_ = 0;  // unsuccessful pulls and pushes since the last advance
  std::chrono::nanoseconds in_vain_since_{0};  // set if there were many
  statistics settled_;
  statistics earlier_;
  std::optional<alert> alert_;
};

}  // namespace boxcar::detail
