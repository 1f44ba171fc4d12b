// What all conveyors have in common on one PE: the contract, the porters of the hops, the pivots
// between them, the buffer that is being read, and the accounts. Fixed-size and elastic conveyors
// put their packets into its lanes and read them from its last hop.
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
  // Collective; the contract must allow it. `item_bytes`: of every item, or 0 if they differ.
  void begin(std::size_t item_bytes);
  // Collective; the contract must allow it, and the conveyor must not be dormant. `come_together`,
  // if there is one, is called where all PEs wait for one another, and returns whether they have.
  void reset(const std::function<bool()>& come_together = {});
  // Collective; the conveyor must be dormant. From the next session on it is like this. If there is
  // not enough memory it throws system_error on all PEs, and is to be rebuilt before the next
  // session.
  void rebuild(const configuration& next);
  // The time of the world's clock at which the session was complete here, if that is kept.
  void keep_time() { keeps_time_ = true; }
  [[nodiscard]] std::chrono::nanoseconds completed_at() const { return completed_at_; }
  void complete_now() { completed_at_ = world_->now(); }
  // The contract must allow it. So many bytes of the current buffer remain to be read. `activity`
  // changes when the client pulls.
  advance_result advance(bool done, std::size_t unread, std::uintptr_t activity);
  // See conveyor_base.
  void wait_for_pull(std::uintptr_t activity);
  // Collective; the contract must allow it. Throws on all PEs unless all give a codec of the same
  // name, or nullptr.
  void set_codec(std::shared_ptr<codec> c);
  // Declares that the world has failed because a session was left in the middle.
  void abandon();
  [[nodiscard]] std::string abandoned_text() const;

  // --- Buffers ----------------------------------------------------------------------------------
  // Of all links, those of the first hop first. Pushes go to these, and to hops behind it where
  // those before are left out. Valid in a session.
  [[nodiscard]] lane* lanes() { return hops_->lanes(); }
  bool make_room(std::uint32_t link) { return hops_->make_room(link) || found_nothing(); }
  void send_now(std::uint32_t link) { hops_->send_now(link); }
  // Gives the current buffer back, and makes the next one current. False if there is none.
  bool next_buffer();
  // Where the packets of the next buffer begin, which is not current yet; nullptr: none has
  // arrived. Not if arrivals are compressed.
  const std::byte* next_unread() { return hops_ ? hops_->back().next_unread() : nullptr; }
  [[nodiscard]] bool has_buffer() const { return borrowed_; }
  // Valid while there is one.
  [[nodiscard]] const arrival& buffer() const { return current_; }
  [[nodiscard]] origin source_in_buffer() const { return steps_.source(current_.source); }

  // --- For the search for PEs that cannot go on -------------------------------------------------
  [[nodiscard]] std::uint64_t world_identity() const override { return world_->identity(); }
  void describe(pe_report& r) const override;
  [[nodiscard]] trace_log::place place() const override;
  [[nodiscard]] std::uint64_t unpulled_items() const override;

  // --- What it is -------------------------------------------------------------------------------
  [[nodiscard]] substrate& world() const { return *world_; }
  [[nodiscard]] const std::shared_ptr<substrate>& shared_world() const { return world_; }
  [[nodiscard]] const configuration& chosen() const { return chosen_; }
  [[nodiscard]] const tagged_route& path() const { return steps_.path(); }
  // How items set out. Valid in a session.
  [[nodiscard]] first_steps setting_out() { return steps_.setting_out(lanes()); }
  // The codec for what goes to other nodes, or nullptr.
  [[nodiscard]] const codec* between_nodes() const { return codec_.get(); }
  [[nodiscard]] contract& rules() { return rules_; }
  [[nodiscard]] const contract& rules() const { return rules_; }
  [[nodiscard]] conveyor_state state() const { return rules_.state(); }
  [[nodiscard]] int last_tag_bytes() const { return path().tag_bytes(path().hops() - 1); }

  // --- Accounts ---------------------------------------------------------------------------------
  // Counted by the conveyor: what only it can know.
  statistics counts;
  // Packets of items of one size that were pushed, and bytes of the buffers that were read and
  // given back, in this session.
  [[nodiscard]] std::uint64_t packets_pushed(std::size_t item_bytes) const;
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  // `counts` and what the hops did; while dormant those of the last session.
  [[nodiscard]] statistics session_statistics() const;
  // Of all sessions before this one.
  [[nodiscard]] const statistics& earlier() const { return earlier_; }
  // Keeps the final account of the session; to be called before reset.
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
  // Collective. Throws on all PEs unless all give the same size, and it fits.
  void agree_on(std::size_t item_bytes);
  void synchronise();
  void give_back();
  bool drained(bool at_end) { return at_end && !hops_->back().has_items(); }
  advance_result advance_asynchronously(bool done, bool at_end);
  advance_result advance_synchronously(bool done, bool at_end);
  // The largest of each anywhere.
  template <std::size_t N>
  std::array<std::uint64_t, N> decide(const std::array<std::uint64_t, N>& mine);
  void round(std::size_t hop);
  void wait_if_idle(bool done, std::uintptr_t activity);
  // A push was refused lately.
  [[nodiscard]] bool is_refused() const;
  // Returns false, and never blocks. By pull and push alone nothing arrives, and who only looks
  // must be told if the world has failed.
  bool found_nothing();
  void enter_session(std::size_t item_bytes);
  // What it is in now.
  [[nodiscard]] const char* called() const;
  void note_state() const;
  void leave_session();

  std::shared_ptr<substrate> world_;
  configuration chosen_;
  steps_of_pe steps_;
  contract rules_;
  std::shared_ptr<codec> codec_;
  std::optional<hops> hops_;   // none while dormant if memory is dynamic
  std::vector<pivot> pivots_;  // of what arrives on hop i
  arrival current_;
  bool borrowed_ = false;
  std::uint64_t bytes_read_ = 0;
  std::uintptr_t activity_ = 0;  // of the client, when the PE was last found idle
  std::uint64_t written_ = 0;    // bytes to all lanes, then
  pe_watch* watch_ = nullptr;    // of this PE, in a session
  std::uint64_t number_;         // among the objects of the world
  std::uint64_t sessions_ = 0;
  std::uint32_t traced_ = 0;    // this conveyor in the trace
  std::size_t item_bytes_ = 0;  // as given to begin
  std::size_t unread_ = 0;      // bytes of the current buffer, at the last advance
  std::uint64_t blocked_before_ = 0;
  std::uint64_t refused_at_ = 0;  // the advance before which a push was refused last
  bool waits_for_pull_ = false;
  bool keeps_time_ = false;
  std::chrono::nanoseconds completed_at_{0};
  bool stepped_ = false;                       // buffers moved on a synchronous hop in this advance
  std::uint32_t in_vain_ = 0;                  // looks since the last advance that found nothing
  std::chrono::nanoseconds in_vain_since_{0};  // if there were many
  statistics settled_;
  statistics earlier_;
  std::optional<alert> alert_;
};

}  // namespace boxcar::detail
