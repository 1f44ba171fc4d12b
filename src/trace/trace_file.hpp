// The file that all PEs of a job write their parts of a trace to, each when it has left its world:
// an array in JSON, whole after each part, as those that show traces and every reader of JSON take
// it (the Trace Event Format of Chrome). A lock on the file keeps parts apart, whether PEs are
// threads, processes, or on nodes that share a file system.
//
// The first line says which job the file is of, and when by which clock it has begun. Whichever PE
// comes first begins the file, and takes the place of what was in it. PEs of other machines tell
// the same time by their calendars, which is as exact as these; those of one machine have one
// clock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace boxcar::detail {

class trace_file {
 public:
  // For a PE of this job. Throws system_error if the file cannot be written or locked, or is none.
  trace_file(const std::string& path, std::uint64_t job);

  // When time begins in this trace, by the clock of this machine, in nanoseconds.
  [[nodiscard]] std::int64_t beginning() const { return beginning_; }
  // Whether it was begun for this job; a program may have several.
  [[nodiscard]] bool is_of(std::uint64_t job) const { return job_ == job; }

  // Adds lines, each an object; `pour` gives them piece by piece, separated by `,\n`. Throws
  // system_error.
  using sink = std::function<void(const std::string& piece)>;
  void add(const std::function<void(const sink&)>& pour) const;

 private:
  std::string path_;
  std::uint64_t job_;
  std::int64_t beginning_;
};

}  // namespace boxcar::detail
