// What a PE is in at any time, for messages, traces and the search for PEs that cannot go on: what
// its program has called, the worlds that it belongs to, its sessions, and how often it has got on.
// A PE is a thread, and nothing here is touched by another one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/detail/called_scope.hpp>

#include "substrate/stall/pause_reason.hpp"
#include "substrate/stall/pe_report.hpp"
#include "trace/trace_log.hpp"

namespace boxcar::detail {

// The session of a conveyor or a stream.
class watched_session {
 public:
  [[nodiscard]] virtual std::uint64_t world_identity() const = 0;
  // Fills in which object this is, its session, and how things stand there.
  virtual void describe(pe_report& r) const = 0;
  // Where the program is in it, for a trace: what it calls in a loop, and of which object.
  [[nodiscard]] virtual trace_log::place place() const = 0;
  [[nodiscard]] virtual std::uint64_t unpulled_items() const { return 0; }

  // The round in which it was polled last (waiting.hpp).
  std::uint64_t polled_in_round = 0;

 protected:
  ~watched_session() = default;
};

struct watched_world {
  std::uint64_t identity;
  int pes;
  // Tells a part of the world from other parts: "split 2, color 0", or "split 2.1, color 0" for one
  // of the first split of a part of the second. Empty for the world of all PEs of the job.
  std::string name;
};

class pe_watch {
 public:
  pe_watch() = default;
  pe_watch(const pe_watch&) = delete;
  pe_watch& operator=(const pe_watch&) = delete;
  ~pe_watch() { thread_ends(); }
  // If the thread was a PE to the last, and is not about to leave its world otherwise, its log is
  // written now.
  void thread_ends() noexcept {
    if (log != nullptr && log->owner == this) log->finish();
  }

  current_call call;
  // What this PE does, if a trace is wanted; else nullptr.
  std::shared_ptr<trace_log> log;
  void record_to(const std::shared_ptr<trace_log>& its) {
    log = its;
    log->owner = this;
    call.is_traced = true;
  }
  std::uint64_t round = 1;  // of polls: one begins each time the PE is about to block

  // This PE has got on: buffers moved, something was pulled or handled, a collective is over, or
  // the program began something else.
  void moved() { ++moves_; }
  // The same for a collective; but one by which PEs decide together what to do brings none on.
  void moved_by_collective() {
    if (!is_deciding) ++moves_;
  }
  bool is_deciding = false;
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

  // A world counts for as long as its owner keeps it: that may be on another thread, later.
  void enter(const std::shared_ptr<const watched_world>& w) { worlds_.push_back(w); }
  void add(watched_session& s) {
    s.polled_in_round = round;
    sessions_.push_back(&s);
  }
  void remove(watched_session& s) { std::erase(sessions_, &s); }
  [[nodiscard]] const std::vector<watched_session*>& sessions() const { return sessions_; }

  // Who must act for that, in view of what the program has called: within a function of Boxcar the
  // PE cannot act by itself.
  [[nodiscard]] needs needed_for(const pause_reason& why) const {
    if (call.name == nullptr || why.acts_by_itself) return why.on;
    return call.is_ending ? needs::all : why.on == needs::nobody ? needs::any : why.on;
  }
  [[nodiscard]] pe_report report(const pause_reason& why);
  // Where the PE waits, in the words of the trace.
  [[nodiscard]] trace_log::place place_of(const pause_reason& why) const;
  // "making a conveyor", "in advance (conveyor 2, session 5, endgame)"
  [[nodiscard]] std::string doing(const pause_reason& why);

 private:
  std::uint64_t moves_ = 1;
  std::vector<std::weak_ptr<const watched_world>> worlds_;
  std::vector<watched_session*> sessions_;
};

}  // namespace boxcar::detail
