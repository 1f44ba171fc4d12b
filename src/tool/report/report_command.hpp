// `boxcar report`: shows what a trace tells.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace boxcar::tool {

struct report_request {
  std::vector<std::string> files;
  std::string output;  // empty: beside the first file
};

// Writes the page, and to `out` where it is and what is remarkable. Throws argument_error if a file
// is no trace, and system_error if one cannot be read or written.
void report_command(const report_request& wanted, std::ostream& out);

}  // namespace boxcar::tool
