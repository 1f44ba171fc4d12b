#include "collective/tree.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail {

tree::tree(tree_shape shape, int k, std::vector<int> order, std::vector<int> nodes)
    : shape_(shape),
      k_(static_cast<std::size_t>(k)),
      order_(std::move(order)),
      nodes_(std::move(nodes)) {}

std::size_t tree::end_of_node(const range& all) const {
  std::size_t end = all.first + 1;
  if (nodes_.empty()) return end;
  const auto node_at = [this](std::size_t i) {
    return nodes_[static_cast<std::size_t>(order_[i])];
  };
  while (end < all.last && node_at(end) == node_at(all.first)) ++end;
  return end;
}

// Partitions n PEs below a PE; calls `add(first, last)` for each group. The first PE of a group is
// the parent of the rest.
template <typename Add>
void tree::split(std::size_t n, const Add& add) const {
  if (shape_ == tree_shape::k_ary) {
    const std::size_t groups = std::min(k_, n);
    for (std::size_t i = 0; i < groups; ++i) add(i * n / groups, (i + 1) * n / groups);
    return;
  }
  for (std::size_t power = 1; power <= n; power *= k_) {
    for (std::size_t j = 1; j < k_ && j * power <= n; ++j) {
      add(j * power - 1, std::min((j + 1) * power - 1, n));
    }
  }
}

std::vector<tree::range> tree::below(const range& all) const {
  std::vector<range> parts;
  const std::size_t behind = all.first + 1;
  const std::size_t here = nodes_.empty() ? all.last : end_of_node(all);
  split(here - behind, [&](std::size_t first, std::size_t last) {
    parts.push_back({behind + first, behind + last});
  });
  std::vector<range> others;
  for (std::size_t i = here; i < all.last; i = others.back().last) {
    others.push_back({i, end_of_node({i, all.last})});
  }
  split(others.size(), [&](std::size_t first, std::size_t last) {
    parts.push_back({others[first].first, others[last - 1].last});
  });
  return parts;
}

tree_member tree::place_of(int pe) const {
  const auto place = static_cast<std::size_t>(std::ranges::find(order_, pe) - order_.begin());
  tree_member found;
  range all{0, order_.size()};
  for (std::vector<range> parts = below(all);; parts = below(all)) {
    if (all.first == place) {
      found.first = all.first;
      found.last = all.last;
      for (const range& r : parts) {
        found.children.push_back({order_[r.first], r.first, r.last});
      }
      return found;
    }
    found.parent = order_[all.first];
    all = *std::ranges::find_if(parts, [place](const range& r) { return place < r.last; });
  }
}

std::vector<tree::run> tree::runs(std::size_t first, std::size_t last) const {
  std::vector<run> all;
  for (std::size_t i = first; i < last; ++i) {
    const int pe = order_[i];
    if (!all.empty() && all.back().last == pe) {
      ++all.back().last;
    } else {
      all.push_back({pe, pe + 1});
    }
  }
  return all;
}

std::vector<int> order_from(int root, int pes) {
  std::vector<int> all;
  for (int i = 0; i < pes; ++i) all.push_back((root + i) % pes);
  return all;
}

std::vector<int> order_by_node(int root, const std::vector<int>& nodes) {
  const auto pes = static_cast<int>(nodes.size());
  std::vector<int> order = order_from(root, pes);
  std::vector<int> turn(nodes.size(), pes);  // position of each node
  const auto turn_of = [&](int pe) -> int& {
    return turn[static_cast<std::size_t>(nodes[static_cast<std::size_t>(pe)])];
  };
  int next = 0;
  for (const int pe : order) {
    if (turn_of(pe) == pes) turn_of(pe) = next++;
  }
  std::ranges::stable_sort(order, {}, turn_of);
  return order;
}

}  // namespace boxcar::detail
