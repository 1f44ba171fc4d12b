// The results of fi_getinfo for a pretending provider.
#pragma once

#include <rdma/fabric.h>

#include "ofi/pretence.hpp"

namespace boxcar::test {

// Returns whether the provider fits the hints.
[[nodiscard]] bool suits(const fi_info& hints, const pretence& how);

// Changes the real attributes to the pretended attributes.
void alter(fi_info& info, const pretence& how);

}  // namespace boxcar::test
