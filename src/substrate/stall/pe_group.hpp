// PEs that are in the same and wait for the same, told as one.
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

// Travels as plain bytes.
struct pe_group {
  static constexpr std::size_t most_ranges = 8;
  struct range {
    std::int32_t first;
    std::int32_t last;
  };

  pe_report like;        // one of them
  std::int32_t pes = 0;  // how many they are
  std::uint32_t ranges = 0;
  std::array<range, most_ranges> ranks{};  // of the first of them, ascending
  std::uint64_t unpulled = 0;              // of all of them
  // Changes if one of them gets on, or another one joins.
  std::uint64_t stamp = 0;
};

pe_group group_of(const pe_report& one);

// What has travelled, if it can be a group of a job of so many PEs: what counts the elements of an
// array is no more than there are, texts have an end, and every value is one of its type.
std::optional<pe_group> group_in(std::span<const std::byte, sizeof(pe_group)> bytes, int pes);

// At most so many are told apart, however many PEs there are.
inline constexpr std::size_t most_groups = 32;

// Puts the PEs of a group with those that are alike, or with all that there is no room for.
void add(std::vector<pe_group>& groups, const pe_group& more);

// The same whatever tells the two apart.
void merge(pe_group& into, const pe_group& more);

// "PE 3", "PEs 0 to 3, 7"
std::string name_pes(const pe_group& group);

}  // namespace boxcar::detail
