// Selects the algorithm that was fastest in measurements within a node (docs/collectives.md). Pure.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "collective/request.hpp"

namespace boxcar::detail {

// A row of the table: for `pes` PEs, and for more than `above_bytes` up to `most_bytes` bytes. The
// bytes are the blocks of all PEs for gather and scatter, the blocks sent by a PE for all-to-all,
// and the bytes sent by a PE otherwise.
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

// Returns a row of the greatest measured number of PEs up to `pes`, or of the smallest if all are
// greater.
[[nodiscard]] measured_way measured_way_for(collective_operation kind, int pes, std::size_t bytes);

// Returns a text like "measured on 8 PEs of a node for up to 65536 bytes".
[[nodiscard]] std::string text_of(const measured_way& row);

}  // namespace boxcar::detail
