// The search for waiting PEs that can never go on: a pure function of the reports of the PEs.
//
// A PE that needs all PEs is stuck if a PE that has not come to the same place is stuck: the first
// PE cannot leave before the second PE comes. A PE that needs any PE is stuck only if all PEs are
// stuck that could do something for the first PE: all PEs of the worlds in which the first PE waits
// or has sessions. The search finds the largest set of PEs with both properties. A PE that waits
// for a computing PE is therefore not stuck, however long the computation takes, and neither is a
// PE that waits for the waiting PE.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "substrate/stall/pe_group.hpp"

namespace boxcar::detail {

// Returns the groups that can never go on, ascending. `pes` is the number of PEs of the job. All
// PEs of the groups were waiting at one moment; a PE in no group does not wait.
std::vector<std::size_t> find_stuck(std::span<const pe_group> groups, int pes);

// The stuck PEs of a job; empty if there are none. Two findings are equal if two looks have found
// the same PEs stuck, and none of the PEs has got on in between.
struct finding {
  std::vector<pe_group> stuck;
  std::uint64_t stamp = 0;  // 0: none
  int pes = 0;

  bool operator==(const finding& other) const {
    return stamp != 0 && stamp == other.stamp && pes == other.pes;
  }
};
finding find(std::span<const pe_group> groups, int pes);

// Returns the error text for a finding, with at most about 1,900 characters.
std::string describe(const finding& found, int pes);

}  // namespace boxcar::detail
