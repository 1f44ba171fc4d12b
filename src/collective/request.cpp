#include "collective/request.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boxcar::detail {
namespace {

// Returns whether k - 1 messages leave in each round of dissemination.
bool has_radix(const collective_request& call) {
  return call.kind == collective_operation::barrier ||
         call.kind == collective_operation::broadcast ||
         call.kind == collective_operation::all_gather ||
         (call.kind == collective_operation::all_reduce && !call.how.is_exact());
}

}  // namespace

void collective_request::drop_what_does_not_count(bool is_root) {
  if (is_root) return;
  if (kind == collective_operation::broadcast || kind == collective_operation::scatter) {
    in = {};
  } else if (kind == collective_operation::reduce || kind == collective_operation::gather) {
    out = {};
  }
}

void collective_request::exchange_equal_blocks(int pe, int pes) {
  const std::size_t block = in.size() / static_cast<std::size_t>(pes);
  sizes.assign(static_cast<std::size_t>(pes), block);
  arriving = sizes;
  places.assign(sizes.size(), static_cast<std::size_t>(pe) * block);
  has_equal_blocks = true;
}

bool has_blocks(collective_operation kind) {
  return kind == collective_operation::gather || kind == collective_operation::all_gather ||
         gets_a_block(kind);
}
bool gets_a_block(collective_operation kind) {
  return kind == collective_operation::scatter || kind == collective_operation::reduce_scatter;
}
bool has_root(collective_operation kind) {
  return kind == collective_operation::broadcast || kind == collective_operation::reduce ||
         kind == collective_operation::scatter || kind == collective_operation::gather;
}

std::string_view name_of(collective_operation kind) {
  constexpr std::array<std::string_view, 12> names{
      "barrier",        "broadcast", "reduce",         "all_reduce",
      "scatter",        "gather",    "all_gather",     "all_to_all",
      "reduce_scatter", "scan",      "exclusive_scan", "neighbor_all_to_all"};
  return names[static_cast<std::size_t>(kind)];
}

const char* name_of_start(collective_operation kind) {
  constexpr std::array<const char*, 11> names{
      "barrier_async",        "broadcast_async", "reduce_async",        "all_reduce_async",
      "scatter_async",        "gather_async",    "all_gather_async",    "all_to_all_async",
      "reduce_scatter_async", "scan_async",      "exclusive_scan_async"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(topology t) {
  constexpr std::array<std::string_view, 11> names{
      "automatic",     "k-ary tree", "k-nomial tree", "chain",     "ring",         "pairwise",
      "dissemination", "butterfly",  "grid",          "circulant", "shared memory"};
  return names[static_cast<std::size_t>(t)];
}

std::string explanation(const collective_request& call, const collective_way& way, int pes) {
  std::string text(name_of(call.kind));
  text += " on " + std::to_string(pes) + " PEs: ";
  text += name_of(way.over);
  const bool has_fan_out = way.over == topology::k_ary_tree ||
                           way.over == topology::k_nomial_tree ||
                           (way.over == topology::dissemination && has_radix(call));
  if (has_fan_out) {
    text += " with k = " + std::to_string(way.fan_out);
  }
  if (way.segment_bytes != 0) {
    text += " in pieces of " + std::to_string(way.segment_bytes) + " bytes";
  }
  if (way.by_node) text += ", within nodes first";
  if (way.columns > 1) {
    text += ", a share by each of " + std::to_string(way.columns) + " PEs of a node";
  }
  return text + ", " + way.reason;
}

bool can_go_over_shared_memory(collective_operation kind) {
  return kind != collective_operation::neighbor_all_to_all;
}

bool is_tree(topology t) {
  return t == topology::k_ary_tree || t == topology::k_nomial_tree || t == topology::chain;
}

std::vector<topology> topologies_for(collective_operation kind) {
  using enum topology;
  const std::vector<topology> trees{k_ary_tree, k_nomial_tree, chain};
  const auto and_also = [&trees](std::vector<topology> more) {
    more.insert(more.begin(), trees.begin(), trees.end());
    return more;
  };
  switch (kind) {
    case collective_operation::barrier:
      return and_also({pairwise, dissemination, butterfly});
    case collective_operation::broadcast:
      return and_also({ring, pairwise, dissemination, butterfly, circulant});
    case collective_operation::all_gather:
      return and_also({ring, pairwise, dissemination, butterfly});
    case collective_operation::all_reduce:
      return and_also({pairwise, dissemination, butterfly});
    case collective_operation::reduce_scatter:
      return and_also({pairwise});
    case collective_operation::reduce:
      return and_also({pairwise, circulant});
    case collective_operation::scatter:
    case collective_operation::gather:
      return trees;
    case collective_operation::all_to_all:
      return {pairwise, grid};
    case collective_operation::neighbor_all_to_all:
      return {pairwise};
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      return {chain, dissemination};
  }
  return {};
}

}  // namespace boxcar::detail
