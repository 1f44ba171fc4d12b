#include "conveyor/engine.hpp"

#include <array>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/agreement.hpp"
#include "substrate/largest.hpp"
#include "substrate/progress.hpp"

namespace boxcar::detail {

engine::engine(std::shared_ptr<substrate> world, const configuration& chosen)
    : world_(std::move(world)),
      chosen_(chosen),
      // (Synchronous hops alternate: every item takes both hops.)
      steps_(chosen.path(world_->size()), chosen_.way, world_->rank(), chosen_.synchronous),
      number_(world_->number_object()) {
  be_traced();
  if (chosen_.compress) codec_ = standard_codec();
  if (chosen_.alert) alert_.emplace(*world_).check_group(chosen_);
  if (!chosen_.dynamic_memory) acquire();
}

void engine::be_traced() {
  const auto& log = world_->log();
  if (log == nullptr) return;
  traced_ = log->add_object("conveyor", "conveyor " + world_->traced_number(number_),
                            path().describe() +
                                (chosen_.synchronous ? ", synchronous" : ", asynchronous") +
                                ", buffers of " + std::to_string(chosen_.buffer_bytes) + " bytes");
}

std::vector<link_plan> engine::plans() const {
  std::vector<link_plan> all;
  for (int hop = 0; hop < path().hops(); ++hop) {
    link_plan plan = steps_.plan(hop);
    plan.buffer_bytes = chosen_.buffer_bytes;
    plan.buffers_per_link = chosen_.buffers_per_link;
    plan.memory = chosen_.memory;
    plan.keep_memory = !chosen_.dynamic_memory;
    all.push_back(std::move(plan));
  }
  return all;
}

void engine::acquire() {
  hops_.emplace(*world_, plans(), !chosen_.synchronous);
  for (std::size_t hop = 0; hop < hops_->size(); ++hop) {
    (*hops_)[hop].be_hop(static_cast<int>(hop), hop + 1 == hops_->size());
    (*hops_)[hop].be_traced_as(traced_);
  }
  pivots_.reserve(hops_->size() - 1);
  for (int hop = 0; hop + 1 < path().hops(); ++hop) {
    pivots_.emplace_back(steps_, *hops_, hop);
  }
}

void engine::release() {
  pivots_.clear();
  hops_.reset();
}

void engine::rebuild(const configuration& next) {
  release();
  chosen_ = next;
  steps_ =
      steps_of_pe(chosen_.path(world_->size()), chosen_.way, world_->rank(), chosen_.synchronous);
  be_traced();
  acquire();
}

engine::~engine() {
  leave_session();
}

void engine::enter_session(std::size_t item_bytes) {
  item_bytes_ = item_bytes;
  unread_ = 0;
  blocked_before_ = refused_at_ = 0;
  waits_for_pull_ = false;
  in_vain_ = 0;
  ++sessions_;
  watch_ = &progress::of_this_pe().watch();
  watch_->add(*this);
  world_->session_began();
  if (const auto& log = world_->log()) log->session_began(traced_, sessions_, item_bytes);
}

void engine::leave_session() {
  if (watch_ == nullptr) return;
  std::exchange(watch_, nullptr)->remove(*this);
  world_->session_is_over();
  if (const auto& log = world_->log()) log->session_ended(traced_, sessions_);
}

void engine::synchronise() {
  world_->barrier();
  ++counts.syncs;
}

void engine::agree_on(std::size_t item_bytes) {
  std::uint64_t forms = 0;
  for (const auto& hop : *hops_) forms = forms * 128 + hop->form();
  const auto most = largest<5>(
      *world_, {item_bytes, ~std::uint64_t{item_bytes}, fits(item_bytes) ? 0u : 1u, forms, ~forms});
  ++counts.syncs;
  const std::uint64_t least = ~most[1];
  if (most[0] != least) {
    throw argument_error("the PEs begin a session with items of different sizes, between " +
                         std::to_string(least) + " and " + std::to_string(most[0]) +
                         " bytes; give the same on all PEs");
  }
  if (most[2] != 0) {
    throw argument_error(
        "an item of " + std::to_string(item_bytes) + " bytes does not fit in a buffer of " +
        std::to_string(chosen_.buffer_bytes) + ": make the conveyor with larger buffers");
  }
  if (most[3] != ~most[4]) {
    throw argument_error(
        "the codec \"" + std::string(codec_->name()) +
        "\" returns different plans on different PEs: its plan() must depend on its "
        "argument only");
  }
}

void engine::begin(std::size_t item_bytes) {
  if (!hops_) acquire();
  counts = {};
  counts.begins = 1;
  try {
    if (fits(item_bytes)) start_hops(item_bytes);
    // No PE is working while another PE is still dormant (section 3.3 of the paper).
    agree_on(item_bytes);
  } catch (...) {
    if (chosen_.dynamic_memory) release();
    throw;
  }
  earlier_ += settled_;
  settled_ = {};
  bytes_read_ = 0;
  enter_session(item_bytes);
  rules_.begun();
}

void engine::start_hops(std::size_t item_bytes) {
  for (int hop = 0; hop < path().hops(); ++hop) {
    const auto tag = static_cast<std::size_t>(path().tag_bytes(hop));
    porter& p = (*hops_)[static_cast<std::size_t>(hop)];
    p.start_session(item_bytes == 0 ? 0 : tag + item_bytes);
    if (codec_ != nullptr && item_bytes != 0) p.compress_with(codec_, tag, item_bytes);
  }
  for (pivot& p : pivots_) p.start_session(item_bytes);
}

void engine::reset(const std::function<bool()>& come_together) {
  give_back();
  if (alert_) {
    alert_->check_fill(settled_);
    alert_->pause();
  }
  if (come_together && come_together()) {
    ++counts.syncs;
  } else {
    synchronise();
  }
  settled_.syncs = counts.syncs;
  for (const auto& hop : *hops_) hop->end_session();
  if (chosen_.dynamic_memory) release();
  leave_session();
  rules_.was_reset();
}

void engine::set_codec(std::shared_ptr<codec> c) {
  agreement same;
  same.on("codec", c == nullptr ? "none" : '"' + std::string(c->name()) + '"');
  same.require(*world_, "conveyor", "a conveyor's");
  codec_ = std::move(c);
}

std::string engine::abandoned_text() const {
  return "a session was left unfinished: " + rules_.explain(operation::reset) +
         " (items may not have been delivered)";
}

void engine::abandon() {
  leave_session();
  // PEs that wait for items of the PE would wait in vain. No PE waits in a world that has ended.
  if (world_->has_ended()) return;
  world_->fail(world_->pe_name(world_->rank()) + ": " + abandoned_text());
}

void engine::give_back() {
  if (!borrowed_) return;
  bytes_read_ += current_.bytes;
  hops_->back().give_back(current_);
  borrowed_ = false;
}

bool engine::next_buffer() {
  give_back();
  borrowed_ = hops_ && hops_->back().borrow(current_);
  return borrowed_ || idle_or_throw();
}

bool engine::idle_or_throw() {
  constexpr std::uint32_t often = 256;
  constexpr auto long_enough = std::chrono::milliseconds(10);
  if (++in_vain_ % often != 0 || watch_ == nullptr) return false;
  if (in_vain_ == often) {
    in_vain_since_ = world_->now();
  } else if (world_->now() - in_vain_since_ > long_enough) {
    world_->idle({.on = needs::any,
                  .for_others = true,
                  .by_time = true,
                  .has_looked = true,
                  .must_not_block = true,
                  .session = this});
  }
  return false;
}

advance_result engine::advance(bool done, std::size_t unread, std::uintptr_t activity) {
  in_vain_ = 0;  // also if there is nothing to do: a biconveyor polls for queries until its end
  if (state() == conveyor_state::complete) return advance_result::done;
  ++counts.advances;
  unread_ = unread;
  const bool at_end = unread == 0;
  const conveyor_state before = state();
  if (alert_) alert_->check_pace();
  const advance_result result = chosen_.synchronous ? advance_synchronously(done, at_end)
                                                    : advance_asynchronously(done, at_end);
  rules_.advanced(done, result);
  const bool stepped = std::exchange(stepped_, false);
  const bool got_further = state() != before;
  if (got_further) {
    note_state();
    if (keeps_time_ && state() == conveyor_state::complete) complete_now();
  }
  if (stepped || got_further) watch_->moved();
  wait_if_idle(done, activity);
  return result;
}

advance_result engine::advance_asynchronously(bool done, bool at_end) {
  for (const auto& hop : *hops_) hop->poll();
  // The last pivot runs first: moved packets make room for the pivots of earlier hops.
  for (std::size_t i = pivots_.size(); i-- > 0;) pivots_[i].run();

  // A hop ends on the PE when no more packets can come from the previous hop.
  bool ended = done;
  for (std::size_t i = 0; i < hops_->size(); ++i) {
    if (i > 0) ended = ended && (*hops_)[i - 1].over() && pivots_[i - 1].idle();
    if (ended) {
      ended = (*hops_)[i].close();
    } else if (chosen_.steady) {
      (*hops_)[i].send_partly_filled();
    }
  }
  if (!done || !hops_->back().over()) return advance_result::ok;
  return ended && drained(at_end) ? advance_result::done : advance_result::near;
}

template <std::size_t N>
std::array<std::uint64_t, N> engine::decide(const std::array<std::uint64_t, N>& mine) {
  const called_scope scope("advance of a synchronous conveyor", called_scope::kind::step);
  watch_->is_deciding = true;
  const struct ending {
    bool& deciding;
    ~ending() { deciding = false; }
  } at_the_end{watch_->is_deciding};
  ++counts.syncs;
  return largest<N>(*world_, mine);
}

// All PEs decide alike, from the combined findings of all PEs (conveyors-2019, sections 4.1 and
// 4.2).
advance_result engine::advance_synchronously(bool done, bool at_end) {
  if (state() == conveyor_state::cleanup) {
    return drained(at_end) ? advance_result::done : advance_result::near;
  }
  enum finding : std::size_t {
    unread,      // an item waits for a client's pull
    stuck,       // a pivot waits for room
    wanted,      // packets on the first hop should be sent
    unfinished,  // more pushes, or packets in flight, remain
    findings
  };
  const bool blocked = !pivots_.empty() && !pivots_[0].idle();
  const bool empty = hops_->front().lanes_empty() && hops_->back().lanes_empty();
  const bool flush = done || chosen_.steady;
  std::array<std::uint64_t, findings> anywhere{};
  anywhere[unread] = borrowed_ || hops_->back().poll_items();
  anywhere[stuck] = blocked;
  anywhere[wanted] = hops_->front().refused() || (flush && !hops_->front().lanes_empty());
  anywhere[unfinished] = !done || blocked || !empty;
  anywhere = decide(anywhere);
  if (anywhere[unfinished] == 0)
    return drained(at_end) ? advance_result::done : advance_result::near;

  if (hops_->size() == 1) {
    if (anywhere[unread] == 0 && anywhere[wanted] != 0) round(0);
    return advance_result::ok;
  }
  if (anywhere[stuck] == 0 && anywhere[wanted] != 0) round(0);
  pivots_[0].run();
  // A PE does not know whether other PEs have packets for the second hop: an empty round costs
  // little.
  if (anywhere[unread] == 0) {
    round(1);
    pivots_[0].run();
  }
  return advance_result::ok;
}

void engine::round(std::size_t hop) {
  const called_scope scope("advance of a synchronous conveyor", called_scope::kind::step);
  stepped_ = true;
  (*hops_)[hop].round();
}

// Yields the core if neither the links nor the client made progress since the last advance.
void engine::wait_if_idle(bool done, std::uintptr_t activity) {
  polled_in_round = watch_->round;
  if (std::exchange(blocked_before_, counts.blocked) != counts.blocked) {
    refused_at_ = counts.advances;
  }
  bool active = false;
  for (const auto& hop : *hops_) active |= hop->moved();
  if (!active) {
    // (Counts bytes instead of comparing addresses: the location of buffers must not affect
    // decisions.)
    std::uint64_t written = 0;
    for (const auto& hop : *hops_) written += hop->bytes_filled();
    active = std::exchange(written_, written) != written;
    active |= std::exchange(activity_, activity) != activity;
  }
  if (active) {
    watch_->moved();
    world_->busy();
  } else if (state() != conveyor_state::complete) {
    // A client that may push, and was not refused, may act without other PEs. In synchronous
    // conveyors, all PEs have already waited.
    const bool in_step = is_in_step();
    world_->idle({.on = done || is_refused() ? needs::any : needs::nobody,
                  .for_others = true,
                  .by_time = in_step,
                  .has_looked = in_step,
                  .session = this});
  }
}

void engine::wait_for_pull(std::uintptr_t activity) {
  polled_in_round = watch_->round;
  in_vain_ = 0;
  waits_for_pull_ = std::exchange(activity_, activity) == activity;
  if (waits_for_pull_) {
    world_->idle({.on = needs::any, .for_others = true, .session = this});
  } else {
    watch_->moved();
    world_->busy();
  }
}

bool engine::is_refused() const {
  constexpr std::uint64_t lately = 8;  // not every advance is followed by a push
  return refused_at_ != 0 && counts.advances - refused_at_ < lately;
}

const char* engine::called() const {
  if (in_vain_ != 0) return "pull or push, without advance";
  return state() == conveyor_state::working ? "advance(false)" : "advance(true)";
}

trace_log::place engine::place() const {
  return {.name = called(), .object = traced_};
}

void engine::note_state() const {
  if (const auto& log = world_->log()) log->session_is(traced_, sessions_, name_of(state()));
}

void engine::describe(pe_report& r) const {
  r.object = number_;
  r.number = sessions_;
  r.is_refused = is_refused();
  r.is_without_advance = in_vain_ != 0;
  r.keeps_replies = waits_for_pull_;
  std::string(called()).copy(r.called.data(), r.called.size() - 1);
  const std::string what = "conveyor " + std::to_string(number_) + ", session " +
                           std::to_string(sessions_) + ", " + name_of(state());
  what.copy(r.what.data(), r.what.size() - 1);
}

std::uint64_t engine::unpulled_items() const {
  if (!hops_) return 0;
  const std::size_t packet_bytes =
      item_bytes_ == 0 ? 0 : static_cast<std::size_t>(last_tag_bytes()) + item_bytes_;
  const std::uint64_t current = packet_bytes == 0 ? (unread_ != 0 ? 1 : 0) : unread_ / packet_bytes;
  return current + hops_->back().unread_packets(packet_bytes);
}

statistics engine::session_statistics() const {
  const bool dormant = state() == conveyor_state::dormant;
  statistics s = dormant ? settled_ : counts;
  s.memory_bytes = sizeof(engine) + steps_.memory_bytes();
  if (!hops_) return s;
  for (const auto& hop : *hops_) {
    if (!dormant) s.hops.push_back(hop->statistics());
    s.memory_bytes += hop->memory_bytes();
  }
  return s;
}

std::uint64_t engine::packets_pushed(std::size_t item_bytes) const {
  // Pushed packets and moved packets go to the same lanes.
  std::uint64_t packets = 0;
  for (std::size_t hop = 0; hop < hops_->size(); ++hop) {
    const auto tag_bytes = static_cast<std::size_t>(path().tag_bytes(static_cast<int>(hop)));
    packets += (*hops_)[hop].bytes_filled() / (tag_bytes + item_bytes);
  }
  for (const pivot& p : pivots_) packets -= p.moved();
  return packets;
}

}  // namespace boxcar::detail
