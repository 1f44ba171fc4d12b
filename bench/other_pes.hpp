// The other PEs.
#pragma once

namespace boxcar::bench {

// Calls `action` for all other PEs, the next PE first: so PEs do not all begin with the same PE.
template <typename Action>
void for_other_pes(int rank, int pes, const Action& action) {
  for (int pe = rank + 1; pe < pes; ++pe) action(pe);
  for (int pe = 0; pe < rank; ++pe) action(pe);
}

}  // namespace boxcar::bench
