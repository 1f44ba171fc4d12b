// The sessions of a stream on a PE: begin, progress, end, and everything that happens once per
// buffer.
#include <memory>
#include <utility>

#include <boxcar/detail/called_scope.hpp>
#include <boxcar/detail/stream_core.hpp>
#include <boxcar/error.hpp>

#include "stream/stream_parts.hpp"

namespace boxcar::detail {

using session_stage = stream_session::stage;

stream_core::stream_core(const world& w, const stream_item_format& what,
                         const stream_options& options)
    : parts_(make_parts(w, what, options)) {
  note_links();
  me_ = static_cast<std::uint32_t>(w.rank());
  most_held_ = parts_->chosen.look_ahead;
  bounded_ = most_held_ != 0;
  parts_->put_up = [this](std::vector<std::byte>& array, std::uint32_t to,
                          std::uint32_t& size_word) { return put_up(array, to, size_word); };
}

stream_core::stream_core() noexcept = default;

void stream_core::set_purpose(std::string purpose) {
  const auto& log = parts_->the_world->log();
  if (log == nullptr) return;
  parts_->purpose = std::move(purpose);
  log->rename_object(parts_->traced, parts_->name_in_trace());
}

void stream_core::note_links() {
  const links_of_route& links = parts_->buffers->links();
  tracks_ = parts_->buffers->tracks();
  links_to_ = links.by_destination();
  far_links_ = links.far_destinations();
  numbers_are_pes_ = links_to_ == nullptr && far_links_ == nullptr;
  inner_links_ = static_cast<std::uint32_t>(links.first(parts_->buffers->size() - 1));
}

void stream_core::allow_sends_to(std::uint32_t pes) {
  pes_ = pes;
  direct_pes_ = numbers_are_pes_ && !bounded_ ? pes : 0;
}

std::unique_ptr<stream_core::parts> stream_core::make_parts(const world& w,
                                                            const stream_item_format& what,
                                                            const stream_options& options) {
  const called_scope scope("making a stream");
  w.substrate()->require_own_thread("making a stream");
  return std::make_unique<parts>(w, what, options);
}

stream_core::~stream_core() {
  if (is_moved_from()) return;
  if (parts_->session.is_unfinished()) {
    lose_session(fail_as("lost, because the stream was destroyed"));
  } else {
    release_session();
  }
}

void stream_core::require_own_thread(const char* operation) const {
  parts_->the_world->require_own_thread(operation);
}

bool stream_core::on() const {
  return parts_->session.is_on();
}

// --- Sessions ------------------------------------------------------------------------------------

void stream_core::begin(const termination& ending) {
  parts& p = *parts_;
  const called_scope scope("begin of a stream");
  require_own_thread("begin of a stream");
  p.all_progress.refuse_within("begin");
  if (p.session.is_unfinished()) {
    throw contract_error("begin: the stream has a session already: call finish first");
  }
  if (p.tuned && p.build_as_wanted()) {
    note_links();
    buffers_changed();
  }
  p.session.start(ending);
  p.finishing = false;
  p.problem.clear();
  p.written_before = p.buffers->items_written();
  p.held_back_items = p.waits = handled_ = forwarded_ = 0;
  p.buffers->start_session();
  p.counting.start_session(ending.kind == termination_kind::counting ? ending.producers : 0);
  allow_sends_to(p.session.is_silent() ? 0 : static_cast<std::uint32_t>(p.the_world->size()));
  try {
    p.wait_for_all_to_begin();
  } catch (...) {
    allow_sends_to(0);
    p.session.enter(session_stage::none);
    throw;
  }
  p.session.enter(session_stage::on);
  p.session.count();
  if (p.tuned) p.tuned->decisions().session_began();
  p.all_streams.add(*this);
  p.watch = &p.all_progress.watch();
  p.watch->add(p);
  p.the_world->session_began();
  p.note_session();
  // Items sent by handlers while the session began go ahead of later items of the program, also in
  // buffers that were open before.
  p.buffers->release_held_back(p.put_up);
}

// Ends sending and handling on the PE.
void stream_core::end() {
  allow_sends_to(0);
  parts_->session.enter(session_stage::over);
  parts_->all_streams.remove(*this);
  parts_->note_over_here();
  if (parts_->watch != nullptr) parts_->watch->moved();
  if (parts_->tuned) parts_->over_at = parts_->the_world->now();
}

void stream_core::close() {
  parts& p = *parts_;
  p.session.enter(session_stage::none);
  if (p.watch == nullptr) return;
  std::exchange(p.watch, nullptr)->remove(p);
  p.the_world->session_is_over();
  p.note_end();
}

void stream_core::done(std::int64_t producers) {
  parts& p = *parts_;
  require_own_thread("done");
  p.session.declare_done(producers, static_cast<int>(me_));
  // Every send from now on is refused.
  if (p.session.is_silent()) allow_sends_to(0);
}

void stream_core::finish() {
  parts& p = *parts_;
  const called_scope scope("finish of a stream", called_scope::kind::ending);
  require_own_thread("finish of a stream");
  p.all_progress.refuse_within("finish");
  if (!p.session.is_unfinished()) p.session.require("finish");
  if (p.session.is_on()) p.session.require_producers_done(static_cast<int>(me_));
  p.finishing = true;
  if (p.watch != nullptr) p.watch->moved();
  while (on()) {
    if (p.all_progress.make() || p.all_streams.flush_what_waits()) {
      p.the_world->busy();
    } else if (on()) {
      pause(true, true);
    }
  }
  while (!ready_to_end()) keep_going(true);
  // Waits until all PEs know the end: a PE waiting in a session must find all its peers there.
  // PEs that know the end may have left.
  while (!p.counting.leave()) keep_going(true, false);
  close();
  if (p.tuned) {
    const stream_statistics account = session_statistics();
    measured_session measured{.items = account.sent, .ended_at = p.over_at};
    measured.add(account.stages);
    p.tuned->decisions().session_ended(measured);
  }
  throw_problem();
}

bool stream_core::poll() {
  parts& p = *parts_;
  require_own_thread("poll of a stream");
  p.all_progress.refuse_within("poll");
  if (!p.session.is_unfinished()) p.session.require("poll");
  if (on()) keep_going(false);
  return on();
}

void stream_core::throw_problem() {
  if (parts_->problem.empty()) return;
  throw contract_error(std::exchange(parts_->problem, {}));
}

void stream_core::leave(bool quietly) {
  if (!parts_->session.is_unfinished()) return;
  const std::string text = fail_as("left unfinished");
  if (!quietly) throw contract_error(text);
}

void stream_core::require_replaceable() {
  if (parts_->session.is_unfinished()) {
    throw contract_error(fail_as("lost, because the stream was assigned over"));
  }
}

std::string stream_core::fail_as(const char* what_happened) {
  parts& p = *parts_;
  if (on()) end();
  close();
  std::string text = std::string("the session of a stream was ") + what_happened +
                     ": call finish (items may not have been delivered)";
  // Without a failure, other PEs could wait for the PE in vain.
  p.the_world->fail(p.the_world->pe_name(static_cast<int>(me_)) + ": " + text);
  return text;
}

// --- Progress ------------------------------------------------------------------------------------

bool stream_core::progress() {
  parts& p = *parts_;
  p.polled_in_round = p.watch->round;
  p.buffers->poll();
  constexpr std::size_t few = 16;
  bool moved = false;
  if (coupled_ == nullptr || coupled_->num_held_back() <= few) {
    moved = p.buffers->work_off([this](arrived_items& c) { return work_off(c); });
  }
  p.buffers->release_held_back(p.put_up);
  if (p.rests_for_long()) flush_what_waits(true);
  settle_departures();
  look_for_end();
  // The end of the session is progress: a PE waiting for the end does not wait again.
  moved |= p.buffers->moved() || !on();
  const bool asked = p.counting.moved();
  if (moved) {
    p.asked_in_vain = 0;
    if (p.watch != nullptr) p.watch->moved();
  }
  // The termination detector can go on for ever without progress of any PE.
  constexpr std::uint32_t often = 64;
  return moved || (asked && p.asked_in_vain++ < often);
}

void stream_core::look_for_end() {
  parts& p = *parts_;
  if (p.session.kind() == termination_kind::staged) {
    if (p.session.is_silent() && p.buffers->close()) end();
    return;
  }
  const termination_detector::result found = p.poll_termination(*this);
  if (found == termination_detector::result::unknown) return;
  end();
  if (found == termination_detector::result::over) return require_nothing_left();
  p.problem = p.session.describe_early_end(found, p.counting.total().producers_done);
}

void stream_core::require_nothing_left() {
  parts& p = *parts_;
  if (nothing_held() && p.buffers->account().sent == p.sent_at_report) return;
  const std::string text =
      p.the_world->pe_name(static_cast<int>(me_)) +
      ": something was sent over a stream after its session was over everywhere, by a handler of "
      "another stream: finish that one first, or, if `done` was called, call it later";
  close();
  p.the_world->fail(text);
  throw contract_error(text);
}

bool stream_core::nothing_held() const {
  return parts_->buffers->nothing_held();
}

std::size_t stream_core::num_held_back() const {
  return parts_->buffers->held_back_packets();
}

bool stream_core::is_over_part_of(const buffer_account& world) const {
  return parts_->the_world->streamed().is_part_of(world);
}

bool stream_core::flush_what_waits(bool all) {
  const bool any = parts_->buffers->flush(all);
  settle_departures();
  return any;
}

void stream_core::flush() {
  parts_->session.require("flush");
  require_own_thread("flush of a stream");
  flush_what_waits(true);
}

// --- Room ----------------------------------------------------------------------------------------

void stream_core::settle_departures() {
  if (bounded_) held_ -= parts_->buffers->take_departed();
}

bool stream_core::find_room(std::uint32_t link, std::size_t bytes) {
  parts& p = *parts_;
  if (p.session.is_beginning()) return false;
  const bool found = p.buffers->find_room(link, bytes, p.put_up);
  settle_departures();
  return found;
}

bool stream_core::wait_for_room(std::uint32_t link, std::size_t bytes) {
  if (find_room(link, bytes)) return true;
  parts& p = *parts_;
  if (p.in_handler()) return false;
  const called_scope scope("send over a stream");
  require_own_thread("send over a stream");
  ++p.waits;
  do {
    // Arrays that are held back wait for tickets in buffers to reach their PEs.
    if (num_held_back() != 0) flush_what_waits(false);
    keep_going(true);
  } while (!find_room(link, bytes));
  return true;
}

void stream_core::wait_outside_of_handlers(const std::function<bool()>& holds) {
  if (parts_->in_handler()) return;
  const called_scope scope("send over a stream");
  while (!holds()) {
    flush_what_waits(false);
    keep_going(true);
  }
}

// Makes progress once; waits if there was nothing to do.
void stream_core::keep_going(bool waits, bool for_others) {
  parts& p = *parts_;
  const bool was_on = on();
  if (p.all_progress.make()) {
    p.the_world->busy();
  } else if (on() == was_on) {
    pause(waits, for_others);
  }
}

void stream_core::pause(bool waits, bool for_others) {
  parts& p = *parts_;
  p.the_world->idle(
      {.on = waits ? needs::any : needs::nobody, .for_others = for_others, .session = &p});
}

bool stream_core::waits_for_time() const {
  return parts_->chosen.flush_after.count() != 0 || parts_->counting.waits_for_time();
}

bool stream_core::make_way() {
  if (!parts_->buffers->send_fullest()) return false;
  settle_departures();
  return true;
}

bool stream_core::hold_one_more() {
  if (held_ >= most_held_ && !make_way()) return false;
  ++held_;
  return true;
}

void stream_core::wait_to_hold_one_more() {
  if (held_ >= most_held_) hold_no_more();
  ++held_;
}

// Not inlined: a call without a wait saves no registers.
[[gnu::noinline]] void stream_core::hold_no_more() {
  const auto must_wait = [&] {
    return held_ >= most_held_ && !make_way() && !parts_->in_handler();
  };
  if (!must_wait()) return;
  const called_scope scope("send over a stream");
  do {
    keep_going(true);
  } while (must_wait());
}

void stream_core::hold_back(std::uint32_t link, const void* item, std::size_t bytes,
                            std::uint32_t word, std::uint32_t size_word) {
  const auto* data = static_cast<const std::byte*>(item);
  parts_->buffers->hold_back(link, {std::vector<std::byte>(data, data + bytes), word, size_word});
  ++parts_->held_back_items;
}

void stream_core::hold_back_whole(std::uint32_t link, std::span<const std::byte> array,
                                  std::uint32_t to) {
  parts_->buffers->hold_back(link, {{array.begin(), array.end()}, to, 0, true});
  ++parts_->held_back_items;
}

void stream_core::buffers_changed() {}

bool stream_core::put_up(std::vector<std::byte>&, std::uint32_t, std::uint32_t&) {
  return true;
}

void stream_core::refuse_send(int pe) const {
  if (is_moved_from()) refuse_moved_stream();
  const parts& p = *parts_;
  p.session.require("send");
  if (pes_ == 0) {
    throw contract_error("send: every producer of PE " + std::to_string(me_) +
                         " has called `done`, or none was declared; nothing may be sent from there "
                         "in this session");
  }
  throw argument_error("send to PE " + std::to_string(pe) + ": the world has " +
                       std::to_string(p.the_world->size()) + " PEs, numbered from 0");
}

// --- Broadcasts, handlers ------------------------------------------------------------------------

const std::vector<std::uint16_t>& stream_core::broadcast_links(int arrived_on) const {
  return parts_->buffers->links().broadcast_links(arrived_on);
}

bool stream_core::broadcast_is_for_here(int arrived_on) const {
  return parts_->buffers->links().broadcast_is_for_here(arrived_on);
}

bool stream_core::comes_with_destinations(int stage) const {
  return stage + 1 < parts_->buffers->size();
}

std::size_t stream_core::buffer_bytes() const {
  return parts_->chosen.buffer_bytes;
}

substrate& stream_core::the_world() const {
  return *parts_->the_world;
}

std::size_t& stream_core::broadcasts_put(int stage) {
  return parts_->broadcasts_put[static_cast<std::size_t>(stage)];
}

void stream_core::enter_handler() {
  parts_->all_streams.enter_handler();
}

void stream_core::leave_handler() {
  parts_->all_streams.leave_handler();
}

void stream_core::handler_failed() {
  leave_handler();
  std::string text =
      the_world().pe_name(static_cast<int>(me_)) + ": the handler of a stream threw ";
  try {
    throw;
  } catch (const std::exception& e) {
    text += e.what();
  } catch (...) {
    text += "something that is no std::exception";
  }
  end();
  close();
  parts_->the_world->fail(text);
}

// --- Accounts ------------------------------------------------------------------------------------

stream_statistics stream_core::session_statistics() const {
  const parts& p = *parts_;
  stream_statistics s;
  if (!p.buffers) return s;
  s.sent = p.buffers->items_written() - p.written_before - forwarded_;
  s.handled = handled_;
  s.forwarded = forwarded_;
  s.held_back = p.held_back_items;
  s.waits = p.waits;
  s.control_messages = p.counting.messages_sent();
  s.memory_bytes = sizeof(stream_core) + sizeof(parts) + p.counting.memory_bytes();
  p.buffers->describe(s);
  return s;
}

std::string stream_core::explain() const {
  const stream_configuration& c = parts_->chosen;
  std::string text = c.way.describe() + "\n" + c.reasons;
  text += "buffers: " + std::to_string(c.buffers_per_link) + " of " +
          std::to_string(c.buffer_bytes) + " bytes per link\n";
  if (c.look_ahead != 0) text += "at most " + std::to_string(c.look_ahead) + " items are held\n";
  if (c.flush_after.count() != 0) {
    text +=
        "buffers leave after " + std::to_string(c.flush_after.count()) + " ns without sending\n";
  }
  if (parts_->tuned) text += parts_->tuned->decisions().explain();
  return text;
}

}  // namespace boxcar::detail
