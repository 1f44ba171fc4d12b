// The content of a job's trace (BOXCAR_TRACE), as far as reports need the content.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace boxcar::tool {

// A span of time. Times are in microseconds since the trace began.
struct traced_span {
  double begin = 0;
  double length = 0;
  std::uint32_t name = 0;  // of a wait: the function that the PE waited in
};

struct sent_buffer {
  int to = 0;
  std::uint32_t object = 0;
  std::uint64_t bytes = 0;  // on the wire
  std::uint64_t filled = 0;
  std::uint64_t capacity = 0;
  bool is_local = false;
  bool is_last = false;
};

// The segment of one PE.
struct part_of_pe {
  int pe = 0;
  int node = 0;
  std::string host;
  double begin = 0;
  double end = 0;
  std::uint64_t dropped = 0;  // events that the PE did not keep
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

// The segments of the PEs of one job.
struct traced_job {
  std::string name;  // equal in all files of the job
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

// Reads all files together: the files of one job are one trace. Throws system_error if a file
// cannot be read, and argument_error, with the file and the line, if a file is no trace. An
// incomplete last line is left out, with a remark.
[[nodiscard]] trace read_traces(const std::vector<std::string>& paths);

}  // namespace boxcar::tool
