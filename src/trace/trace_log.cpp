#include "trace/trace_log.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <unistd.h>

#include "trace/trace_part.hpp"

namespace boxcar::detail {
namespace {

// Shorter spans are not worth a line, and there may be very many.
constexpr std::int64_t worth_noting = 1000;
// A PE that waits again after a longer pause has computed in between (waiting.cpp uses the same
// limit).
constexpr std::int64_t min_computation = 20'000;
constexpr std::size_t max_texts = 256;
constexpr std::size_t max_objects = 1024;

trace_record record_of(traced what, std::int64_t at, std::uint32_t object) {
  return {.at = at,
          .length = 0,
          .object = object,
          .text = 0,
          .other = 0,
          .hop = 0,
          .what = what,
          .marks = 0};
}

}  // namespace

trace_log::trace_log(const traced_pe& who, trace_file file, std::size_t max_records)
    : who_(who),
      file_(std::move(file)),
      // Untouched pages take no memory.
      records_(std::make_unique_for_overwrite<trace_record[]>(max_records)),
      room_(max_records),
      began_(now()),
      process_(getpid()) {
  texts_.reserve(max_texts);
  texts_.emplace_back("other calls", nullptr);
  objects_.push_back({"", "", ""});
}

trace_log::~trace_log() {
  finish();
}

std::uint32_t trace_log::add_object(const char* kind, std::string name, std::string about) {
  if (objects_.size() == max_objects) {
    objects_.push_back({"other", "all other objects", "there are more than a trace can name"});
  }
  if (objects_.size() < max_objects) {
    if (name.empty()) name = std::string(kind) + " #" + std::to_string(objects_.size());
    objects_.push_back({kind, std::move(name), std::move(about)});
  }
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

void trace_log::rename_object(std::uint32_t of, std::string name) {
  if (of < max_objects && of < objects_.size()) objects_[of].name = std::move(name);
}

std::uint32_t trace_log::text_of(const char* name, const char* within) {
  // A search mostly repeats the last search.
  for (std::size_t i = texts_.size(); i-- > 1;) {
    if (texts_[i] == std::pair(name, within)) return static_cast<std::uint32_t>(i);
  }
  if (texts_.size() == max_texts) return 0;
  texts_.emplace_back(name, within);
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

// --- Spans ---------------------------------------------------------------------------------------

std::int64_t trace_log::enter() {
  return interrupt();
}

void trace_log::leave(std::int64_t since, const char* name, const char* within) {
  const std::int64_t moment = interrupt();
  if (moment - since < worth_noting) return;
  trace_record r = record_of(traced::call, since, 0);
  r.length = static_cast<std::uint64_t>(moment - since);
  r.text = text_of(name, within);
  add(r);
}

void trace_log::waits(const place& where, std::int64_t moment) {
  if (is_waiting() && (moment - waited_until_ > min_computation || where != waits_in_))
    end_wait(moment);
  if (!is_waiting()) {
    waits_since_ = moment;
    waits_in_ = where;
  }
  waited_until_ = moment;
}

void trace_log::end_wait(std::int64_t moment) {
  const std::int64_t since = std::exchange(waits_since_, 0);
  const std::int64_t end = moment - waited_until_ > min_computation ? waited_until_ : moment;
  if (end - since < worth_noting) return;
  trace_record r = record_of(traced::wait, since, waits_in_.object);
  r.length = static_cast<std::uint64_t>(end - since);
  r.text = text_of(waits_in_.name, waits_in_.within);
  add(r);
}

void trace_log::handled(std::int64_t since, std::uint32_t of, int hop, int from,
                        std::size_t items) {
  trace_record r = record_of(traced::handlers, since, of);
  r.length = static_cast<std::uint64_t>(interrupt() - since);
  r.text = static_cast<std::uint32_t>(items);
  r.other = static_cast<std::uint32_t>(from);
  r.hop = static_cast<std::uint16_t>(hop);
  add(r);
}

// --- Buffers, sessions, runs ---------------------------------------------------------------------

void trace_log::sent(std::uint32_t of, int hop, int to, const cargo& what, std::uint8_t marks) {
  trace_record r = record_of(traced::sent, interrupt(), of);
  r.length = std::uint64_t{what.filled} << 32U | what.bytes;
  r.text = static_cast<std::uint32_t>(what.room);
  r.other = static_cast<std::uint32_t>(to);
  r.hop = static_cast<std::uint16_t>(hop);
  r.marks = marks;
  add(r);
}

void trace_log::received(std::uint32_t of, int hop, int from, std::size_t bytes,
                         std::uint8_t marks) {
  trace_record r = record_of(traced::received, interrupt(), of);
  r.length = bytes;
  r.other = static_cast<std::uint32_t>(from);
  r.hop = static_cast<std::uint16_t>(hop);
  r.marks = marks;
  add(r);
}

void trace_log::session_began(std::uint32_t of, std::uint64_t session, std::size_t item_bytes) {
  add_step(traced::session, of, session, item_bytes);
}

void trace_log::session_is(std::uint32_t of, std::uint64_t session, const char* state) {
  add_step(traced::session_state, of, session, 0, text_of(state, nullptr));
}

void trace_log::session_ended(std::uint32_t of, std::uint64_t session) {
  add_step(traced::session_end, of, session);
}

void trace_log::run_began(std::uint32_t of, std::uint64_t run) {
  add_step(traced::run, of, run);
}

void trace_log::run_ended(std::uint32_t of, std::uint64_t run) {
  add_step(traced::run_end, of, run);
}

void trace_log::add_step(traced what, std::uint32_t of, std::uint64_t number, std::size_t length,
                         std::uint32_t text) {
  trace_record r = record_of(what, interrupt(), of);
  r.length = length;
  r.text = text;
  r.other = static_cast<std::uint32_t>(number);
  add(r);
}

// --- Its end -------------------------------------------------------------------------------------

void trace_log::write_so_far(const trace_file& to) {
  stir();
  ended_ = now();
  trace_part(*this, to).write();
}

void trace_log::finish() noexcept {
  if (std::exchange(is_written_, true) || process_ != getpid()) return;
  ended_ = now();
  try {
    if (is_waiting()) end_wait(waited_until_);
    trace_part(*this, file_).write();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "boxcar: PE %d could not write its part of the trace: %s\n", who_.rank,
                 e.what());
  }
  room_ = used_ = 0;
  records_.reset();
}

}  // namespace boxcar::detail
