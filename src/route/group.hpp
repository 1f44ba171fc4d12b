// Checks the groups of successive PEs of matrix and tensor routes.
#pragma once

namespace boxcar::detail {

// Throws argument_error, with the possible groups, unless `group` divides `pes`.
void require_group(int pes, int group);

}  // namespace boxcar::detail
