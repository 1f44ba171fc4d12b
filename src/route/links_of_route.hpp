// The numbered links of a PE in a route: ordered by stage, and within a stage by PE. The last stage
// has an additional link from the PE to itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <boxcar/detail/link_table.hpp>
#include <boxcar/route.hpp>

#include "substrate/links.hpp"

namespace boxcar::detail {

// The maximum number of links of a PE, the link to itself included: link numbers have 16 bits.
inline constexpr std::size_t max_links_of_route = std::numeric_limits<std::uint16_t>::max();

class links_of_route {
 public:
  // `list_all`: the link to each PE is listed even if there are many PEs.
  links_of_route(const route& way, int rank, bool list_all = false);
  links_of_route(const links_of_route&) = delete;
  links_of_route& operator=(const links_of_route&) = delete;

  [[nodiscard]] std::size_t count() const { return first_.back(); }
  // Returns the number of the first link of a stage.
  [[nodiscard]] std::size_t first(int stage) const {
    return first_[static_cast<std::size_t>(stage)];
  }
  [[nodiscard]] std::size_t stage_of(std::uint32_t link) const;
  // Returns the destinations and sources of the links of a stage.
  [[nodiscard]] link_plan plan(int stage) const;

  // Return the number of the link that items for each PE take from the PE: a list for up to
  // most_listed PEs, a table for more PEs. With a single stage both are nullptr, and the link's
  // number is the PE's number.
  [[nodiscard]] const std::uint16_t* by_destination() const {
    return by_destination_.empty() ? nullptr : by_destination_.data();
  }
  [[nodiscard]] const link_table* far_destinations() const { return table_ ? &*table_ : nullptr; }

  // Return how the PE handles a broadcast item that has arrived on a stage, or starts at the PE.
  [[nodiscard]] const std::vector<std::uint16_t>& broadcast_links(int arrived_on) const {
    return broadcasts_[static_cast<std::size_t>(arrived_on + 1)].links;
  }
  [[nodiscard]] bool broadcast_is_for_here(int arrived_on) const {
    return broadcasts_[static_cast<std::size_t>(arrived_on + 1)].here;
  }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct broadcast {
    std::vector<std::uint16_t> links;
    bool here;
  };

  static constexpr int most_listed = 4096;

  [[nodiscard]] std::uint16_t number_of(const hop& link) const;

  route way_;
  std::vector<std::vector<int>> outgoing_;  // by stage
  std::vector<std::vector<int>> incoming_;
  std::vector<std::size_t> first_;  // of each stage, and behind the last
  std::vector<std::uint16_t> by_destination_;
  std::optional<link_table> table_;
  std::vector<broadcast> broadcasts_;  // of the PE's own broadcasts, then by the stage of arrival
};

}  // namespace boxcar::detail
