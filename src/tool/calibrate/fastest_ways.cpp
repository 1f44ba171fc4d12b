#include "calibrate/fastest_ways.hpp"

#include <algorithm>
#include <bit>

namespace boxcar::tool {
namespace {

using detail::collective_operation;
using detail::measured_way;

constexpr std::size_t kib = 1024;
constexpr std::size_t much = 64 * kib;

// Returns how many times as fast as the built-in way another way must be. Data travel in shared
// memory while the PE waits, and not while it computes.
double margin_of(const measured_way& way, std::size_t bytes) {
  return way.over == topology::shared_memory && bytes >= much ? 1.25 : 1.1;
}

// Returns how many times as fast the way is, by the median of the turns.
double gain_of(const timed_way& way, const timed_way& built_in) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i != way.seconds.size(); ++i) {
    ratios.push_back(built_in.seconds[i] / way.seconds[i]);
  }
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  return *middle;
}

// Returns the number of bytes up to which the way for `less` bytes is taken; `next` is the way for
// `more`. The built-in table knows more numbers of bytes than are measured.
std::size_t end_of(const measured_way& way, std::size_t less, const measured_way& next,
                   std::size_t more) {
  const measured_way built_in = detail::way_table::built_in().find(way.kind, way.pes, less);
  const measured_way behind = detail::way_table::built_in().find(way.kind, way.pes, more);
  if (is_same_way(way, built_in) && is_same_way(next, behind) && built_in.most_bytes < more) {
    return built_in.most_bytes;
  }
  return std::min(std::bit_floor(less) << (std::bit_width(more / less) / 2), more - 1);
}

std::size_t most_bytes_in_shared_memory(collective_operation kind) {
  return (kind == collective_operation::broadcast ? 1024 : 512) * kib;
}

// Adds the built-in rows for more bytes than were measured, unless a new way holds for all of them.
void add_unmeasured(std::vector<measured_way>& rows, std::size_t largest) {
  const auto built_in_for = [&rows](std::size_t bytes) {
    return detail::way_table::built_in().find(rows.back().kind, rows.back().pes, bytes);
  };
  const measured_way built_in = built_in_for(largest);
  if (is_same_way(rows.back(), built_in)) {
    rows.back().most_bytes = built_in.most_bytes;
  } else if (rows.back().over == topology::shared_memory) {
    rows.back().most_bytes = most_bytes_in_shared_memory(rows.back().kind);
  }
  while (rows.back().most_bytes != measured_way::any_bytes) {
    measured_way next = built_in_for(rows.back().most_bytes + 1);
    next.pes = rows.back().pes;
    next.above_bytes = rows.back().most_bytes;
    next.is_calibrated = true;
    rows.push_back(next);
  }
}

}  // namespace

bool is_sound(const measured_way& way, std::size_t bytes) {
  if (way.over == topology::shared_memory) {
    return bytes <= most_bytes_in_shared_memory(way.kind);
  }
  if (way.over != topology::chain) return true;
  const bool has_pieces = way.segment_bytes != 0;
  if (way.kind == collective_operation::scan || way.kind == collective_operation::exclusive_scan) {
    return has_pieces || bytes <= much;
  }
  return has_pieces && bytes >= static_cast<std::size_t>(way.pes) * way.segment_bytes;
}

std::size_t fastest_of(const timed_ways& all) {
  std::size_t best = 0;
  double best_gain = 1;
  for (std::size_t i = 1; i != all.each.size(); ++i) {
    const timed_way& way = all.each[i];
    const double gain = gain_of(way, all.each.front()) / margin_of(way.how, all.bytes);
    if (gain <= best_gain) continue;
    best = i;
    best_gain = gain;
  }
  return best;
}

std::vector<measured_way> fastest_ways(std::span<const timed_ways> sizes) {
  std::vector<measured_way> rows;
  for (const timed_ways& size : sizes) {
    measured_way row = size.each[fastest_of(size)].how;
    row.is_calibrated = true;
    if (!rows.empty() && is_same_way(rows.back(), row)) continue;
    row.above_bytes = 0;
    row.most_bytes = measured_way::any_bytes;
    if (!rows.empty()) {
      const std::size_t before = (&size - 1)->bytes;
      row.above_bytes = rows.back().most_bytes = end_of(rows.back(), before, row, size.bytes);
    }
    rows.push_back(row);
  }
  add_unmeasured(rows, sizes.back().bytes);
  return rows;
}

}  // namespace boxcar::tool
