#include "collective/measured_ways.hpp"

#include <algorithm>
#include <ranges>

#include "collective/measured_ways_table.hpp"

namespace boxcar::detail {

measured_way measured_way_for(collective_operation kind, int pes, std::size_t bytes) {
  const auto rows = std::ranges::equal_range(measured_ways, kind, {}, &measured_way::kind);
  const auto more = std::ranges::upper_bound(rows, pes, {}, &measured_way::pes);
  const int measured = more == rows.begin() ? rows.front().pes : std::ranges::prev(more)->pes;
  const auto alike = std::ranges::equal_range(rows, measured, {}, &measured_way::pes);
  return *std::ranges::lower_bound(alike, bytes, {}, &measured_way::most_bytes);
}

std::string text_of(const measured_way& row) {
  std::string text = "measured on " + std::to_string(row.pes) + " PEs of a node";
  if (row.kind == collective_operation::barrier) return text;
  const bool is_last = row.most_bytes == measured_way::any_bytes;
  if (is_last && row.above_bytes == 0) return text + " for any number of bytes";
  if (is_last) return text + " for more than " + std::to_string(row.above_bytes) + " bytes";
  return text + " for up to " + std::to_string(row.most_bytes) + " bytes";
}

}  // namespace boxcar::detail
