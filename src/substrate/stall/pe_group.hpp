// A pe_group is a set of PEs in the same call with the same wait condition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "substrate/stall/pe_report.hpp"

namespace boxcar::detail {

// A pe_group is sent as plain bytes.
struct pe_group {
  static constexpr std::size_t max_ranges = 8;
  struct range {
    std::int32_t first;
    std::int32_t last;
  };

  pe_report like;        // the report of one PE
  std::int32_t pes = 0;  // the number of PEs
  std::uint32_t ranges = 0;
  std::array<range, max_ranges> ranks{};  // of the first PEs, ascending
  std::uint64_t unpulled = 0;             // of all PEs
  // The stamp changes if a PE of the group makes progress, or another PE joins.
  std::uint64_t stamp = 0;
};

pe_group group_of(const pe_report& one);

// Returns the group in received bytes, with terminated texts, if the bytes are valid in a job of
// `pes` PEs: counts do not exceed their arrays, and every value belongs to its type.
std::optional<pe_group> group_in(std::span<const std::byte, sizeof(pe_group)> bytes, int pes);

// The maximum number of groups, whatever the number of PEs.
inline constexpr std::size_t max_groups = 32;

// Adds the PEs of a group to a group with a like report, or, without room, to the group of the
// rest.
void add(std::vector<pe_group>& groups, const pe_group& more);

// Merges `more` into `into`, whatever their differences.
void merge(pe_group& into, const pe_group& more);

// "PE 3", "PEs 0 to 3, 7"
std::string name_pes(const pe_group& group);

}  // namespace boxcar::detail
