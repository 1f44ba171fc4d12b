// The record of a PE's activities: a bounded list in the PE's memory, which becomes a segment of
// the trace when the PE has left its world. A log exists only if the user wants a trace; each
// recording module has a pointer to the log and tests the pointer for null.
//
// Only the PE's thread writes a log: progress threads have none. The program orders a later thread
// of the PE (world::take_over) behind the thread before, and a world is destroyed by its own
// thread, or ordered behind that thread. So nothing here is atomic.
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

// The PE that owns a log.
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
  // The name of the PE's current function or loop; the texts have static storage. `within`: see
  // current_call.
  struct place {
    const char* name = nullptr;
    const char* within = nullptr;
    std::uint32_t object = 0;
    bool operator==(const place&) const = default;
  };

  // The log records at most `max_records`, 32 bytes each, and only counts later records.
  trace_log(const traced_pe& who, trace_file file, std::size_t max_records);
  trace_log(const trace_log&) = delete;
  trace_log& operator=(const trace_log&) = delete;
  ~trace_log();

  [[nodiscard]] static std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }
  [[nodiscard]] int pes() const { return who_.pes; }
  [[nodiscard]] std::uint64_t job() const { return who_.job; }

  // --- What there is -----------------------------------------------------------------------------
  // Adds a conveyor, a stream, a collective or a schedule and returns its number. `kind` and
  // `about` go into the trace; an object without a name gets a name. After many objects all further
  // objects share a number.
  std::uint32_t add_object(const char* kind, std::string name, std::string about);
  void rename_object(std::uint32_t of, std::string name);

  // --- Spans of the PE, which lie within one another ---------------------------------------------
  // Begins the span of a call and returns the current time.
  std::int64_t enter();
  // Ends the span of the call; very short spans are not recorded.
  void leave(std::int64_t since, const char* name, const char* within);
  // The PE has nothing to do, at `where`: the PE calls this function again and again, with the
  // current time. Any other record ends the wait.
  void waits(const place& where, std::int64_t moment);
  [[nodiscard]] bool is_waiting() const { return waits_since_ != 0; }
  // The PE was waiting until `until`.
  void waited(std::int64_t until) { waited_until_ = until; }
  // The PE has something to do.
  void stir() {
    if (is_waiting()) end_wait(now());
  }
  // Handlers of a stream have processed `items` items of a buffer, since `since`.
  void handled(std::int64_t since, std::uint32_t of, int hop, int from, std::size_t items);

  // --- Buffers -----------------------------------------------------------------------------------
  struct cargo {
    std::size_t bytes;   // on the wire
    std::size_t filled;  // with packets, before they were compressed
    std::size_t room;    // for packets
  };
  void sent(std::uint32_t of, int hop, int to, const cargo& what, std::uint8_t marks);
  void received(std::uint32_t of, int hop, int from, std::size_t bytes, std::uint8_t marks);

  // --- Sessions, runs of collectives and schedules -----------------------------------------------
  void session_began(std::uint32_t of, std::uint64_t session, std::size_t item_bytes);
  // Precondition: `state` has static storage.
  void session_is(std::uint32_t of, std::uint64_t session, const char* state);
  void session_ended(std::uint32_t of, std::uint64_t session);
  void run_began(std::uint32_t of, std::uint64_t run);
  void run_ended(std::uint32_t of, std::uint64_t run);

  // --- Its end -----------------------------------------------------------------------------------
  // Writes the records so far to another file. Throws system_error.
  void write_so_far(const trace_file& to);
  // Writes this PE's segment of the trace, once. Later records are lost. Reports an error on
  // standard error.
  void finish() noexcept;
  // The thread of the PE, identified by the address of an object of the thread.
  const void* owner = nullptr;

 private:
  friend class trace_part;

  struct object {
    const char* kind;
    std::string name;
    std::string about;
  };

  void end_wait(std::int64_t now);
  // Adds a record of the session or run `number`.
  void add_step(traced what, std::uint32_t of, std::uint64_t number, std::size_t length = 0,
                std::uint32_t text = 0);
  void add(const trace_record& r) {
    if (used_ < room_) {
      records_[used_++] = r;
    } else {
      ++dropped_;
    }
  }
  // Ends a wait and returns the current time, as the time of the next record.
  std::int64_t interrupt() {
    const std::int64_t moment = now();
    if (is_waiting()) end_wait(moment);
    return moment;
  }
  // Returns the number of a name.
  std::uint32_t text_of(const char* name, const char* within);

  traced_pe who_;
  trace_file file_;
  std::unique_ptr<trace_record[]> records_;
  std::size_t used_ = 0;
  std::size_t room_;
  std::uint64_t dropped_ = 0;
  std::int64_t waits_since_ = 0;  // 0: the PE does not wait
  std::int64_t waited_until_ = 0;
  place waits_in_;
  std::vector<std::pair<const char*, const char*>> texts_;
  std::vector<object> objects_;
  std::int64_t began_;
  std::int64_t ended_ = 0;
  pid_t process_;  // a process forked from this process does not write the log
  bool is_written_ = false;
};

// The log that the worlds of a job share on a PE: the destructor, which runs when the last of the
// worlds is gone, writes the log.
struct recording {
  explicit recording(std::shared_ptr<trace_log> its) : log(std::move(its)) {}
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;
  ~recording() { log->finish(); }

  std::shared_ptr<trace_log> log;
};

}  // namespace boxcar::detail
