// The start of PEs that are threads of one process.
#pragma once

#include <functional>
#include <memory>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Calls `pe` once on each of `pes` threads, of which the caller's is PE 0, and returns when all
// calls have returned. `pe` must not throw.
void start_threads(int pes, int nodes, const std::function<void(std::unique_ptr<substrate>)>& pe);

}  // namespace boxcar::detail
