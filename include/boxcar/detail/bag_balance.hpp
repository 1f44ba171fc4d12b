// The balance of a bag decides how many values each PE sends to which PEs, so that the PEs have
// equally many afterwards. Only PEs with too many values send, and only as many as they have too
// many: no plan moves fewer values.
#pragma once

#include <cstdint>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::detail {

struct value_transfer {
  int pe;  // the destination
  std::uint64_t values;
};

// Collective. Returns the transfers of the PE, which has `values` values. A PE that receives values
// sends none. Memory: proportional to the PE's transfers, on the average over all PEs.
[[nodiscard]] std::vector<value_transfer> plan_even_balance(world& w, std::uint64_t values);

}  // namespace boxcar::detail
