// The parts of a stream on a PE: configuration, buffers, session, termination detector and tuner.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/error.hpp>

#include "stream/active_streams.hpp"
#include "stream/stage_set.hpp"
#include "stream/stream_configuration.hpp"
#include "stream/stream_session.hpp"
#include "stream/termination_detector.hpp"
#include "stream/tuned_stream.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

struct stream_core::parts final : watched_session {
  parts(const world& w, const stream_item_format& what, const stream_options& options)
      : the_world(w.substrate()),
        number(the_world->number_object()),
        item_bytes(what.arrays ? 0 : what.item_bytes),
        item_format(what),
        chosen(configure(*the_world, options, what)),
        buffers(std::in_place, *the_world, item_format, chosen),
        counting(*the_world),
        broadcasts_put(static_cast<std::size_t>(buffers->size())) {
    if (options.tune) {
      tuned = std::make_unique<tuned_stream>(*the_world, options, item_format, chosen);
      build_as_wanted();
    }
    const auto& log = the_world->log();
    if (log == nullptr) return;
    be_traced(*log);
    counting.be_traced_as(log->add_object("waves",
                                          "waves of stream " + the_world->traced_number(number),
                                          "messages by which PEs find out whether all is over"));
  }

  [[nodiscard]] std::string name_in_trace() const {
    return "stream " + the_world->traced_number(number) + (purpose.empty() ? "" : ", " + purpose);
  }
  void be_traced(trace_log& log) {
    traced = log.add_object(
        "stream", name_in_trace(),
        chosen.way.describe() + ", buffers of " + std::to_string(chosen.buffer_bytes) + " bytes");
    buffers->be_traced_as(traced);
  }

  // Builds the configuration wanted by the tuner. Returns whether anything was built. Collective.
  // Precondition: no session.
  bool build_as_wanted() {
    const bool any = tuned->decisions().ensure_built([this] {
      chosen = tuned->wanted();
      buffers.reset();
      buffers.emplace(*the_world, item_format, chosen);
    });
    if (!any) return false;
    broadcasts_put.assign(static_cast<std::size_t>(buffers->size()), 0);
    if (const auto& log = the_world->log()) be_traced(*log);
    return true;
  }

  [[nodiscard]] std::uint64_t world_identity() const override { return the_world->identity(); }
  void describe(pe_report& r) const override {
    r.object = number;
    r.number = session.number();
    std::string("poll of a stream").copy(r.called.data(), r.called.size() - 1);
    const std::string text = "stream " + std::to_string(number) + ", session " +
                             std::to_string(session.number()) +
                             (session.is_on() ? "" : ", over here");
    text.copy(r.what.data(), r.what.size() - 1);
    r.held_back = buffers->held_back_packets();
  }

  [[nodiscard]] trace_log::place place() const override {
    return {.name = "poll of a stream", .object = traced};
  }
  void watch_ends() noexcept override { watch = nullptr; }
  void note_session() const {
    if (const auto& log = the_world->log()) {
      log->session_began(traced, session.number(), item_bytes);
    }
  }
  void note_over_here() const {
    if (const auto& log = the_world->log()) {
      log->session_is(traced, session.number(), "over here");
    }
  }
  void note_end() const {
    if (const auto& log = the_world->log()) log->session_ended(traced, session.number());
  }

  [[nodiscard]] bool in_handler() const { return all_streams.handling(); }

  // No PE sends to a PE that has not begun. Other PEs may learn earlier that all have begun, and
  // their items may make handlers of other streams send over the stream: packets of such handlers
  // are held back.
  void wait_for_all_to_begin() {
    const bool others = !all_streams.empty();
    if (others) buffers->shut();
    try {
      session.agree(*the_world);
    } catch (...) {
      if (others) buffers->open_again();
      buffers->forget_held_back();
      throw;
    }
    if (others) buffers->open_again();
  }

  // In a session with quiescence, items count that handlers of other streams may still send over
  // the stream; in a session with counted producers, only the handlers of the stream itself and of
  // the coupled stream send after `done`.
  termination_detector::result poll_termination(const stream_core& self) {
    const bool by_quiescence = session.kind() == termination_kind::quiescence;
    const buffer_account& account = the_world->streamed();
    const auto is_passive = [&] {
      if (by_quiescence) return finishing && all_streams.nothing_held(account);
      return self.nothing_held() && (self.coupled_ == nullptr || self.coupled_->nothing_held());
    };
    const auto report = [&] {
      termination_detector::report r;
      buffer_account mine = buffers->account();
      sent_at_report = mine.sent;
      if (self.coupled_ != nullptr) {
        const buffer_account coupled = self.coupled_->parts_->buffers->account();
        mine.sent += coupled.sent;
        mine.received += coupled.received;
      }
      r.buffers_sent = by_quiescence ? account.sent : mine.sent;
      r.buffers_received = by_quiescence ? account.received : mine.received;
      r.producers_done = session.producers_done();
      r.finishing = finishing ? 1 : 0;
      return r;
    };
    return counting.poll(is_passive, report);
  }

  // Returns whether no item was put into a buffer for the time after which all buffers are sent.
  bool rests_for_long() {
    if (chosen.flush_after.count() == 0) return false;
    const auto now = the_world->now();
    if (now - last_look < chosen.flush_after) return false;
    last_look = now;
    const std::uint64_t written = buffers->items_written();
    return std::exchange(written_then, written) == written;
  }

  std::shared_ptr<substrate> the_world;
  std::uint64_t number;       // among the objects of the world
  std::string purpose;        // in the trace; or empty
  std::size_t item_bytes;     // 0: arrays
  std::uint32_t traced = 0;   // number of the stream in the trace
  pe_watch* watch = nullptr;  // of the PE, in a session
  stream_item_format item_format;
  stream_configuration chosen;
  std::optional<stage_set> buffers;  // nullopt: the wanted configuration could not be built
  stage_set::putting_up put_up;
  termination_detector counting;
  active_streams& all_streams = active_streams::of_this_pe();
  detail::progress& all_progress = detail::progress::of_this_pe();
  stream_session session;
  std::vector<std::size_t> broadcasts_put;  // by stage
  bool finishing = false;
  std::uint64_t sent_at_report = 0;  // buffers, when the PE last reported to be passive
  std::string problem;               // the reason if the session ended early
  std::chrono::nanoseconds last_look{0};
  std::uint64_t written_then = 0;    // items put into buffers, at the last look
  std::uint64_t written_before = 0;  // items put into buffers in earlier sessions
  std::uint64_t held_back_items = 0;
  std::uint64_t waits = 0;
  std::uint32_t asked_in_vain =
      0;  // messages of the termination detector since the last other progress
  std::unique_ptr<tuned_stream> tuned;  // nullptr if the stream is not tuned
  std::chrono::nanoseconds over_at{0};  // the end of the session on the PE, if tuned
};

}  // namespace boxcar::detail
