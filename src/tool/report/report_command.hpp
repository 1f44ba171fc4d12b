// `boxcar report`: shows the content of a trace.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace boxcar::tool {

struct report_request {
  std::vector<std::string> files;
  std::string output;  // empty: beside the first file
};

// Writes the page, and writes to `out` the path of the page and remarks. Throws argument_error if a
// file is no trace, and system_error if a file cannot be read or written.
void report_command(const report_request& wanted, std::ostream& out);

}  // namespace boxcar::tool
