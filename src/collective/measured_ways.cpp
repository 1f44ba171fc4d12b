#include "collective/measured_ways.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>

#include "collective/measured_ways_table.hpp"

namespace boxcar::detail {

const way_table& way_table::built_in() {
  static const way_table only{{measured_ways.begin(), measured_ways.end()}};
  return only;
}

way_table way_table::with(std::span<const measured_way> rows) const {
  std::vector<measured_way> all(rows.begin(), rows.end());
  std::ranges::copy_if(rows_, std::back_inserter(all), [rows](const measured_way& old) {
    return std::ranges::none_of(
        rows, [&](const measured_way& row) { return row.kind == old.kind && row.pes == old.pes; });
  });
  std::ranges::sort(all, [](const measured_way& a, const measured_way& b) {
    return std::tuple(a.kind, a.pes, a.above_bytes) < std::tuple(b.kind, b.pes, b.above_bytes);
  });
  return way_table(std::move(all));
}

measured_way way_table::find(collective_operation kind, int pes, std::size_t bytes) const {
  const auto rows = std::ranges::equal_range(rows_, kind, {}, &measured_way::kind);
  const auto more = std::ranges::upper_bound(rows, pes, {}, &measured_way::pes);
  const int measured = more == rows.begin() ? rows.front().pes : std::ranges::prev(more)->pes;
  const auto alike = std::ranges::equal_range(rows, measured, {}, &measured_way::pes);
  return *std::ranges::lower_bound(alike, bytes, {}, &measured_way::most_bytes);
}

bool is_same_way(const measured_way& a, const measured_way& b) {
  return a.over == b.over && a.fan_out == b.fan_out && a.segment_bytes == b.segment_bytes;
}

std::string text_of(const measured_way& row) {
  std::string text = (row.is_calibrated ? "calibrated on " : "measured on ") +
                     std::to_string(row.pes) + " PEs of " +
                     (row.is_calibrated ? "this machine" : "a node");
  if (row.kind == collective_operation::barrier) return text;
  const bool is_last = row.most_bytes == measured_way::any_bytes;
  if (is_last && row.above_bytes == 0) return text + " for any number of bytes";
  if (is_last) return text + " for more than " + std::to_string(row.above_bytes) + " bytes";
  return text + " for up to " + std::to_string(row.most_bytes) + " bytes";
}

}  // namespace boxcar::detail
