// The report as JSON; schema.json says what is in it.
#pragma once

#include <string>
#include <vector>

#include "invocation.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// The whole report. `complete`: these are all results of the sweep.
[[nodiscard]] std::string json_report(const request& wanted, const invocation& start,
                                      const std::vector<setting_result>& results, bool complete);

// One result as one line, and back: how it gets from a PE to the process that reports.
[[nodiscard]] std::string json_line(const setting_result& result);
[[nodiscard]] setting_result result_from_json_line(const std::string& line);

}  // namespace boxcar::bench
