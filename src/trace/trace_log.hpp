// What a PE did, as it notes it: a bounded list in memory of its own, which becomes a part of the
// trace when the PE has left its world. There is one only if a trace is wanted; whoever has
// something to note has a pointer to it, and looks whether that is null.
//
// A log is written by the thread that is the PE, and by no other one: progress threads have none.
// Who becomes the PE later (world::take_over) is ordered behind the one before by the program, and
// a world is destroyed by the thread that it belongs to, or behind it. So nothing here is atomic.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "trace/trace_file.hpp"
#include "trace/trace_record.hpp"

namespace boxcar::detail {

// Whose log it is.
struct traced_pe {
  int rank = 0;  // in the job
  int pes = 1;
  int node = 0;
  int nodes = 1;
  const char* substrate = "";
  std::uint64_t job = 0;
};

class trace_log {
 public:
  // A name of what a PE is in; texts live for ever. `within`: see current_call.
  struct place {
    const char* name = nullptr;
    const char* within = nullptr;
    std::uint32_t object = 0;
    bool operator==(const place&) const = default;
  };

  // Notes at most `most_records`, 32 bytes each; what comes later is only counted.
  trace_log(const traced_pe& who, trace_file file, std::size_t most_records);
  trace_log(const trace_log&) = delete;
  trace_log& operator=(const trace_log&) = delete;
  ~trace_log();

  [[nodiscard]] static std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }
  [[nodiscard]] int pes() const { return who_.pes; }
  [[nodiscard]] std::uint64_t job() const { return who_.job; }

  // --- What there is -----------------------------------------------------------------------------
  // A number for a conveyor, a stream, a collective or a schedule. `kind` and what is said of it go
  // into the trace; if it has no name, it gets one. After many objects all further ones are one.
  std::uint32_t add_object(const char* kind, std::string name, std::string about);

  // --- Spans of the PE, which lie within one another ---------------------------------------------
  // A call has begun: returns the moment.
  std::int64_t enter();
  // It is over; what took hardly any time is not noted.
  void leave(std::int64_t since, const char* name, const char* within);
  // The PE has nothing to do, here: to be called again and again, with the moment. Whatever else is
  // noted ends that.
  void waits(const place& where, std::int64_t moment);
  [[nodiscard]] bool is_waiting() const { return waits_since_ != 0; }
  // It was waiting until then.
  void waited(std::int64_t until) { waited_until_ = until; }
  // It has something to do.
  void stir() {
    if (is_waiting()) end_wait(now());
  }
  // Handlers of a stream have worked off so many items of a buffer, since then.
  void handled(std::int64_t since, std::uint32_t of, int hop, int from, std::size_t items);

  // --- Buffers -----------------------------------------------------------------------------------
  struct cargo {
    std::size_t bytes;   // that travel
    std::size_t filled;  // with packets, before they were compressed
    std::size_t room;    // for packets
  };
  void sent(std::uint32_t of, int hop, int to, const cargo& what, std::uint8_t marks);
  void received(std::uint32_t of, int hop, int from, std::size_t bytes, std::uint8_t marks);

  // --- Sessions, runs of collectives and schedules -----------------------------------------------
  void session_began(std::uint32_t of, std::uint64_t session, std::size_t item_bytes);
  // `state` lives for ever.
  void session_is(std::uint32_t of, std::uint64_t session, const char* state);
  void session_ended(std::uint32_t of, std::uint64_t session);
  void run_began(std::uint32_t of, std::uint64_t run);
  void run_ended(std::uint32_t of, std::uint64_t run);

  // --- Its end -----------------------------------------------------------------------------------
  // Writes what has been noted so far to another file. Throws system_error.
  void write_so_far(const trace_file& to);
  // Writes this PE's part of the trace, once. What is noted from now on is lost. If that fails, the
  // program hears of it on standard error.
  void finish() noexcept;
  // The thread that is the PE, known by something of it.
  const void* owner = nullptr;

 private:
  friend class trace_part;

  struct object {
    const char* kind;
    std::string name;
    std::string about;
  };

  void end_wait(std::int64_t now);
  // Of the session or run of this number.
  void add_step(traced what, std::uint32_t of, std::uint64_t number, std::size_t length = 0,
                std::uint32_t text = 0);
  void add(const trace_record& r) {
    if (used_ < room_) {
      records_[used_++] = r;
    } else {
      ++dropped_;
    }
  }
  // Ends a wait, and is the moment of what comes next.
  std::int64_t interrupt() {
    const std::int64_t moment = now();
    if (is_waiting()) end_wait(moment);
    return moment;
  }
  // The number of a name.
  std::uint32_t text_of(const char* name, const char* within);

  traced_pe who_;
  trace_file file_;
  std::unique_ptr<trace_record[]> records_;
  std::size_t used_ = 0;
  std::size_t room_;
  std::uint64_t dropped_ = 0;
  std::int64_t waits_since_ = 0;  // 0: it does not
  std::int64_t waited_until_ = 0;
  place waits_in_;
  std::vector<std::pair<const char*, const char*>> texts_;
  std::vector<object> objects_;
  std::int64_t began_;
  std::int64_t ended_ = 0;
  pid_t process_;  // not to be written by one that was forked from it
  bool is_written_ = false;
};

// What the worlds of a job have in common on a PE: when the last of them is gone, the log is
// written.
struct recording {
  explicit recording(std::shared_ptr<trace_log> its) : log(std::move(its)) {}
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;
  ~recording() { log->finish(); }

  std::shared_ptr<trace_log> log;
};

}  // namespace boxcar::detail
