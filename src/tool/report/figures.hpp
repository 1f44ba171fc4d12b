// The figures that a report shows about a job, by PE or, if there are too many PEs, by groups of
// PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/trace.hpp"

namespace boxcar::tool {

// A PE, a node or a block of successive PEs.
struct group_figures {
  std::string name;
  int pes = 0;
  double seconds = 0;         // of all its PEs
  double handlers = 0;        // seconds
  std::vector<double> waits;  // seconds, by kind of wait
  std::uint64_t sent_buffers = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_buffers = 0;
  std::uint64_t received_bytes = 0;
  std::vector<double> timeline;  // the share of waiting, from the begin to the end; -1: not there

  [[nodiscard]] double waited() const;
  [[nodiscard]] double computed() const;
};

struct object_figures {
  std::string name;
  std::string about;
  std::uint64_t sessions = 0;
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;
  std::uint64_t filled = 0;
  std::uint64_t capacity = 0;
  std::uint64_t messages = 0;  // buffers with items
  // The processor time of the messages at both ends, by the costs of an ordinary machine
  // (boxcar/model.hpp): the trace does not measure the time.
  double message_seconds = 0;

  // Returns the processor time that is saved if the items wait until each buffer is full
  // (tram-thesis-2014, equation 6.1).
  [[nodiscard]] double seconds_saved() const;
};

struct job_figures {
  static constexpr int max_groups = 64;
  static constexpr int fill_steps = 10;
  static constexpr int time_steps = 240;

  std::string groups_are;  // "PE", "node", "block of 4 PEs"
  std::vector<group_figures> groups;
  std::vector<std::string> wait_kinds;  // by time waited, the longest first; the last may be other
                                        // kinds
  std::vector<std::uint64_t> bytes_between;  // row by row: from a group to another
  std::vector<std::uint64_t> fills;          // buffers by their fill when they left, in tenths
  std::vector<std::uint64_t> last_fills;     // of the last buffers of sessions
  std::uint64_t empty_buffers = 0;           // which carried only the end of a session
  std::uint64_t between_nodes = 0;           // bytes
  std::vector<object_figures> objects;       // the object that sent most first
  double begin = 0;                          // microseconds
  double end = 0;
  double seconds = 0;  // of all PEs

  // Returns the objects whose messages cost more than 2 % of the time of all PEs: aggregation is
  // worth a look (tram-thesis-2014, section 6.1).
  [[nodiscard]] std::vector<object_figures> costly_objects() const;

  [[nodiscard]] std::uint64_t bytes(std::size_t from, std::size_t to) const {
    return bytes_between[from * groups.size() + to];
  }
};

[[nodiscard]] job_figures figures_of(const traced_job& job);

}  // namespace boxcar::tool
