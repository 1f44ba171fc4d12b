// The largest numbers of PEs in a world.
#pragma once

namespace boxcar::detail {

inline constexpr int max_pes = 32767;              // of a job of processes or threads
inline constexpr int max_simulated_pes = 1 << 22;  // of a simulated machine, and of a plan

}  // namespace boxcar::detail
