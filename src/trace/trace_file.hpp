// The trace file of a job. Each PE writes its segment of the trace to the file when the PE has left
// its world. The file is a JSON array in the Trace Event Format of Chrome and is complete after
// each segment, so that trace viewers and all JSON parsers can read the file. A file lock
// serialises the segments, whether PEs are threads, processes, or on nodes with a common file
// system.
//
// The first line holds the job of the file, and the time at which the trace begins, by two clocks.
// The first PE begins the file and replaces an earlier trace. PEs of one machine share a steady
// clock; PEs of other machines compute the beginning from their calendar clocks, and are as exact
// as the calendar clocks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace boxcar::detail {

class trace_file {
 public:
  // The constructor opens the trace for a PE of `job`. Throws system_error if the file cannot be
  // written or locked, or is no trace.
  trace_file(const std::string& path, std::uint64_t job);

  // Returns the moment at which time begins in the trace, by the clock of this machine, in
  // nanoseconds.
  [[nodiscard]] std::int64_t beginning() const { return beginning_; }
  // Returns whether the trace was begun for `job`; a program may have several jobs.
  [[nodiscard]] bool is_of(std::uint64_t job) const { return job_ == job; }

  // Adds lines, each an object; `pour` passes the lines to the sink in pieces, separated by `,\n`.
  // Throws system_error.
  using sink = std::function<void(const std::string& piece)>;
  void add(const std::function<void(const sink&)>& pour) const;

 private:
  std::string path_;
  std::uint64_t job_;
  std::int64_t beginning_;
};

}  // namespace boxcar::detail
