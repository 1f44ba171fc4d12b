// Replaces a file at once: a reader finds either the old content or the new content.
#pragma once

#include <string>
#include <string_view>

namespace boxcar::detail {

// The new file has the permissions of the old file. Throws system_error, and then leaves the old
// file.
void replace_file(const std::string& name, std::string_view content);

}  // namespace boxcar::detail
