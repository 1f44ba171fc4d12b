// The report as JSON; schema.json documents its content.
#pragma once

#include <string>
#include <vector>

#include "invocation.hpp"
#include "request.hpp"
#include "result.hpp"

namespace boxcar::bench {

// The whole report. `complete`: the results are all results of the sweep.
[[nodiscard]] std::string json_report(const request& wanted, const invocation& start,
                                      const std::vector<setting_result>& results, bool complete);

// One result as one line, and back: PEs send their results to the reporting process in this form.
[[nodiscard]] std::string json_line(const setting_result& result);
[[nodiscard]] setting_result result_from_json_line(const std::string& line);

}  // namespace boxcar::bench
