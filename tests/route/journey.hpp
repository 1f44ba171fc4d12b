// One item's journey by a route of the library, with all tables that a conveyor would use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "route/tagged_route.hpp"

namespace boxcar::test {

// The tag of a packet on a hop, and the end of the hop.
struct leg {
  std::uint32_t tag;
  int stop;
};

// A route with the links of all PEs looked up once.
class itinerary {
 public:
  itinerary(int hops, int pes, int group)
      : itinerary(detail::tagged_route::with_hops(hops, pes, group)) {}
  explicit itinerary(const detail::tagged_route& path) : path_(path), start_(path_.start()) {
    for (int hop = 0; hop < path_.hops(); ++hop) {
      auto& of_hop = peers_.emplace_back();
      for (int pe = 0; pe < path_.pes(); ++pe) of_hop.push_back(path_.peers(hop, pe));
    }
  }

  [[nodiscard]] const detail::tagged_route& path() const { return path_; }
  [[nodiscard]] const std::vector<int>& peers(int hop, int pe) const {
    return peers_[static_cast<std::size_t>(hop)][static_cast<std::size_t>(pe)];
  }

  // Every leg from one PE to another; fewer legs than hops if the route names a missing link.
  [[nodiscard]] std::vector<leg> journey(int from, int to) const {
    std::vector<leg> legs;
    auto [link, tag] = first(static_cast<std::uint32_t>(to));
    int at = from;
    for (int hop = 0; hop < path_.hops(); ++hop) {
      const std::vector<int>& links = peers(hop, at);
      if (link >= links.size()) break;
      const int sender = at;
      at = links[link];
      legs.push_back({tag, at});
      if (hop + 1 == path_.hops()) break;
      const detail::relabelling change = path_.change(hop, sender, at);
      link = change.link(tag);
      tag = change.tag(tag);
    }
    return legs;
  }

 private:
  [[nodiscard]] detail::link_and_tag first(std::uint32_t to) const {
    if (path_.hops() == 1) return {to, 0};
    return path_.hops() == 2 ? start_.in_matrix(to) : start_.in_tensor(to);
  }

  detail::tagged_route path_;
  detail::grouped_step start_;
  std::vector<std::vector<std::vector<int>>> peers_;  // by hop, PE, link
};

}  // namespace boxcar::test
