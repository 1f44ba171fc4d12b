// Replaces a file at once: a reader finds either the old content or the new content.
#pragma once

#include <string>
#include <string_view>

namespace boxcar::detail {

// Returns the file that a write to `name` replaces, behind symbolic links; there may be none yet.
// Throws system_error for what cannot be replaced, as a folder or a device.
std::string file_to_replace(const std::string& name);

// The new file has the permissions of the old file. Throws system_error, and then leaves the old
// file.
void replace_file(const std::string& name, std::string_view content);

}  // namespace boxcar::detail
