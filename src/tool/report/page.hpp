// The conversion of a trace to a page: a single HTML file without external resources and scripts.
#pragma once

#include <string>
#include <vector>

#include "report/trace.hpp"

namespace boxcar::tool {

// Returns the page. `of`: the files of the trace.
[[nodiscard]] std::string page_of(const trace& t, const std::vector<std::string>& of);

}  // namespace boxcar::tool
