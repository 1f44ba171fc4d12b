// Which way has been measured to be best within a node (docs/collectives.md). Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "collective/request.hpp"

namespace boxcar::detail {

// A row of the table: for so many PEs, and for more than `above_bytes` up to `most_bytes`. All that
// travels counts: of what is gathered or scattered the blocks of all PEs, of an all-to-all those
// that one PE gives, else what one PE gives.
struct measured_way {
  static constexpr std::size_t any_bytes = std::numeric_limits<std::size_t>::max();

  collective_operation kind = collective_operation::barrier;
  int pes = 0;
  std::size_t above_bytes = 0;
  std::size_t most_bytes = any_bytes;
  topology over = topology::automatic;
  int fan_out = 2;
  std::size_t segment_bytes = 0;
};

// Of the most PEs that were measured and are not more than there are, or of the fewest.
[[nodiscard]] measured_way measured_way_for(collective_operation kind, int pes, std::size_t bytes);

// "measured on 8 PEs of a node for up to 65536 bytes".
[[nodiscard]] std::string text_of(const measured_way& row);

}  // namespace boxcar::detail
