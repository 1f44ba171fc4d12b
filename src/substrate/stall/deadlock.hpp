// Whether PEs that wait can ever go on: a pure function of what they tell.
//
// A PE that needs all is stuck if one of those that have not come to where it waits is stuck: it
// cannot leave before that one comes. A PE that needs any is stuck only if all are stuck that could
// do something for it: all PEs of the worlds that it waits or has sessions in. Both hold for the
// largest set of PEs with that property, which is what is looked for. So a PE that waits for one
// that computes is not stuck, however long that takes, and neither is one that waits for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "substrate/stall/pe_group.hpp"

namespace boxcar::detail {

// Those among the groups that can never go on, ascending. `pes`: of the job. The groups are of PEs
// that were all waiting at one moment; whoever belongs to none does not wait.
std::vector<std::size_t> find_stuck(std::span<const pe_group> groups, int pes);

// The same if two looks at one job have found the same PEs stuck, none of which has got on in
// between. Else empty.
struct finding {
  std::vector<pe_group> stuck;
  std::uint64_t stamp = 0;  // 0: none
  int pes = 0;

  bool operator==(const finding& other) const {
    return stamp != 0 && stamp == other.stamp && pes == other.pes;
  }
};
finding find(std::span<const pe_group> groups, int pes);

// What to say about it, in at most about 1,900 characters.
std::string describe(const finding& found, int pes);

}  // namespace boxcar::detail
