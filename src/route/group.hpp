// The groups of successive PEs that matrix and tensor routes know.
#pragma once

namespace boxcar::detail {

// Throws argument_error, with the groups that would work, unless `group` divides `pes`.
void require_group(int pes, int group);

}  // namespace boxcar::detail
