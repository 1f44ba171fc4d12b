// What fi_getinfo shows of a provider that pretends.
#pragma once

#include <rdma/fabric.h>

#include "ofi/pretence.hpp"

namespace boxcar::test {

// Whether it may be shown to who gives these hints.
[[nodiscard]] bool suits(const fi_info& hints, const pretence& how);

// From what there is to what is pretended.
void alter(fi_info& info, const pretence& how);

}  // namespace boxcar::test
