// The pe_watch holds the state of a PE at any time, for messages, traces and the search for stuck
// PEs: the call of its program, its worlds, its sessions, and its progress count. A PE is a thread,
// and no other thread touches the pe_watch.
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
  // Fills in the object, its session, and the state of the session.
  virtual void describe(pe_report& r) const = 0;
  // Returns the place of the program in the session, for a trace: the function called in a loop,
  // and its object.
  [[nodiscard]] virtual trace_log::place place() const = 0;
  [[nodiscard]] virtual std::uint64_t unpulled_items() const { return 0; }
  // Returns whether all PEs wait for each other in the next poll of the session.
  [[nodiscard]] virtual bool is_in_step() const { return false; }
  // Called when the thread of the PE ends before the session: the pe_watch exists no more.
  virtual void watch_ends() noexcept = 0;

  // The round of the last poll (waiting.hpp).
  std::uint64_t polled_in_round = 0;

 protected:
  ~watched_session() = default;
};

struct watched_world {
  std::uint64_t identity;
  int pes;
  // Distinguishes subworlds: "split 2, color 0", or "split 2.1, color 0" for a subworld from the
  // first split of a subworld from the second split. Empty for the world of all PEs of the job.
  std::string name;
};

class pe_watch {
 public:
  pe_watch() = default;
  pe_watch(const pe_watch&) = delete;
  pe_watch& operator=(const pe_watch&) = delete;
  ~pe_watch() {
    thread_ends();
    for (watched_session* const s : sessions_) s->watch_ends();
  }
  // Writes the log of a thread that was a PE to the last and leaves its world in no other way.
  void thread_ends() noexcept {
    if (log != nullptr && log->owner == this) log->finish();
  }

  current_call call;
  // The trace log of the PE; nullptr without a trace.
  std::shared_ptr<trace_log> log;
  void record_to(const std::shared_ptr<trace_log>& its) {
    log = its;
    log->owner = this;
    call.is_traced = true;
  }
  std::uint64_t round = 1;  // of polls: a round begins each time the PE is about to block

  // Counts progress of the PE: buffers moved, an item was pulled or handled, a collective is over,
  // or the program began another operation.
  void moved() { ++moves_; }
  // Counts a collective as progress, unless the PEs only make a common decision by the collective.
  void moved_by_collective() {
    if (!is_deciding) ++moves_;
  }
  bool is_deciding = false;
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

  // Adds a world. The world counts until its owner releases it, maybe later on another thread.
  void enter(const std::shared_ptr<const watched_world>& w) { worlds_.push_back(w); }
  void add(watched_session& s) {
    s.polled_in_round = round;
    sessions_.push_back(&s);
  }
  void remove(watched_session& s) { std::erase(sessions_, &s); }
  [[nodiscard]] const std::vector<watched_session*>& sessions() const { return sessions_; }

  // Returns the PEs that must act to end a pause, given the call of the program: within a function
  // of Boxcar the PE cannot act by itself.
  [[nodiscard]] needs needed_for(const pause_reason& why) const {
    if (call.name == nullptr || why.acts_by_itself) return why.on;
    return call.is_ending ? needs::all : why.on == needs::nobody ? needs::any : why.on;
  }
  // Returns whether the PE acts again without being woken. Another session may wait for this PE to
  // come to its next poll, whatever the session is that has nothing to do.
  [[nodiscard]] bool acts_by_time(const pause_reason& why) const {
    if (why.by_time) return true;
    if (why.session == nullptr) return false;
    for (const watched_session* const s : sessions_) {
      if (s->is_in_step()) return true;
    }
    return false;
  }
  [[nodiscard]] pe_report report(const pause_reason& why);
  // Returns the place where the PE waits, in the words of the trace.
  [[nodiscard]] trace_log::place place_of(const pause_reason& why) const;
  // "making a conveyor", "in advance (conveyor 2, session 5, endgame)"
  [[nodiscard]] std::string doing(const pause_reason& why);

 private:
  std::uint64_t moves_ = 1;
  std::vector<std::weak_ptr<const watched_world>> worlds_;
  std::vector<watched_session*> sessions_;
};

}  // namespace boxcar::detail
