// What is in a trace that a job has written because of BOXCAR_TRACE, as far as reports need it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace boxcar::tool {

// Times are in microseconds since the trace began.
struct traced_span {
  double begin = 0;
  double length = 0;
  std::uint32_t name = 0;  // of a wait: what the PE waited in
};

struct sent_buffer {
  int to = 0;
  std::uint32_t object = 0;
  std::uint64_t bytes = 0;  // that travelled
  std::uint64_t filled = 0;
  std::uint64_t capacity = 0;
  bool is_local = false;
  bool is_last = false;
};

// The part of one PE.
struct part_of_pe {
  int pe = 0;
  int node = 0;
  std::string host;
  double begin = 0;
  double end = 0;
  std::uint64_t dropped = 0;  // events that it did not keep
  std::vector<traced_span> waits;
  std::vector<traced_span> handlers;
  std::vector<sent_buffer> sent;
  std::uint64_t received_buffers = 0;
  std::uint64_t received_bytes = 0;
};

struct traced_object {
  std::string name;
  std::string about;
  std::uint64_t sessions = 0;  // or runs, of all PEs
};

// What the PEs of one job have written.
struct traced_job {
  std::string name;  // the same in all files of the job
  std::string substrate;
  int pes = 0;
  int nodes = 0;
  std::vector<part_of_pe> parts;  // by PE
  std::vector<traced_object> objects;
  std::vector<std::string> calls;  // the names of spans
};

struct trace {
  std::vector<traced_job> jobs;  // in the order in which they began
  std::vector<std::string> remarks;
};

// All files together: those of one job are one trace. Throws system_error if a file cannot be read,
// and argument_error, with the file and the line, if it is no such trace. A last line that is cut
// off is left out, with a remark.
[[nodiscard]] trace read_traces(const std::vector<std::string>& paths);

}  // namespace boxcar::tool
