// A trace as a page: one file in HTML that fetches nothing and runs no script.
#pragma once

#include <string>
#include <vector>

#include "report/trace.hpp"

namespace boxcar::tool {

// `of`: the files that it was read from.
[[nodiscard]] std::string page_of(const trace& t, const std::vector<std::string>& of);

}  // namespace boxcar::tool
