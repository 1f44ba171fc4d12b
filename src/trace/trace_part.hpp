// The conversion of a PE's log to lines of the trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace_log.hpp"

namespace boxcar::detail {

class trace_part {
 public:
  trace_part(const trace_log& log, const trace_file& file);
  // Throws system_error.
  void write() const;

 private:
  void add_heading(std::string& to) const;
  void add(std::string& to, const trace_record& r) const;
  void add_buffer(std::string& to, const trace_record& r) const;
  // Adds an activity beside the PE's own spans: `phase` is the letter of its begin, middle or end.
  void add_beside(std::string& to, const trace_record& r, std::string_view phase) const;
  // Adds the first fields of every line; the closing brace is missing.
  void add_begin(std::string& to, std::string_view name, std::string_view category,
                 std::string_view phase, const trace_record& r) const;
  void add_span(std::string& to, std::string_view name, std::string_view category,
                const trace_record& r) const;

  const trace_log& log_;
  const trace_file& file_;
  std::uint64_t process_;
  std::string ids_;                 // "pid":...,"tid":...
  std::vector<std::string> texts_;  // of the names in the log
};

}  // namespace boxcar::detail
