// The links that a PE has by a route, numbered: those of the first stage first, and within a stage
// by PE. The last stage has one more, to this PE itself, for what it sends to itself.
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

// The largest number of links of a PE, the link to itself included: links are numbered by 16 bits.
inline constexpr std::size_t most_links_of_a_route = std::numeric_limits<std::uint16_t>::max();

class links_of_route {
 public:
  // `list_all`: which link leads to a PE is listed for all PEs in any case.
  links_of_route(const route& way, int rank, bool list_all = false);
  links_of_route(const links_of_route&) = delete;
  links_of_route& operator=(const links_of_route&) = delete;

  [[nodiscard]] std::size_t count() const { return first_.back(); }
  // The number of the first link of a stage.
  [[nodiscard]] std::size_t first(int stage) const {
    return first_[static_cast<std::size_t>(stage)];
  }
  [[nodiscard]] std::size_t stage_of(std::uint32_t link) const;
  // Whom the links of a stage lead to and come from.
  [[nodiscard]] link_plan plan(int stage) const;

  // The number of the link that items for each PE take from here: of not too many PEs a list. Of
  // more a table; neither if there is one stage only and that is the PE's number.
  [[nodiscard]] const std::uint16_t* by_destination() const {
    return by_destination_.empty() ? nullptr : by_destination_.data();
  }
  [[nodiscard]] const link_table* far_destinations() const { return table_ ? &*table_ : nullptr; }

  // What is done with an item for all PEs that has arrived on a stage, or comes from here.
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
  std::vector<broadcast> broadcasts_;  // of this PE's own, then by the stage of their arrival
};

}  // namespace boxcar::detail
