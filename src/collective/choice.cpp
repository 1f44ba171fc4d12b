#include "collective/choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "collective/circulant.hpp"
#include "collective/measured_ways.hpp"
#include "collective/tree.hpp"

namespace boxcar::detail {
namespace {

bool are_several(const std::vector<int>& nodes) {
  return std::ranges::any_of(nodes, [&nodes](int n) { return n != nodes.front(); });
}

// What travels, the same on all PEs.
std::size_t bytes_of(const collective_request& call) {
  if (call.kind == collective_operation::broadcast) return call.out.size();
  if (call.kind == collective_operation::all_to_all ||
      call.kind == collective_operation::neighbor_all_to_all || call.sizes.empty()) {
    return call.most_given;
  }
  return sum_of(call.sizes);
}

// Whether it can go within nodes first.
bool knows_nodes(collective_operation kind, topology over) {
  const bool is_scan =
      kind == collective_operation::scan || kind == collective_operation::exclusive_scan;
  return is_scan ? over == topology::dissemination : is_tree(over);
}

// Then nodes are combined in their order, if need be.
bool is_in_order(const collective_request& call, const std::vector<int>& nodes) {
  switch (call.kind) {
    case collective_operation::reduce:
    case collective_operation::all_reduce:
    case collective_operation::reduce_scatter:
      if (call.how.numbers.has_value()) return true;
      [[fallthrough]];
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      return std::ranges::is_sorted(nodes);
    default:
      return true;
  }
}

struct default_way {
  topology over = topology::k_nomial_tree;
  int fan_out = 2;
  std::size_t segment_bytes = 0;
  std::string reason = {};
};

// --- Within a node -------------------------------------------------------------------------------

// Whether in shared memory a PE takes from each of the others as much as it gets.
bool takes_from_each(collective_operation kind) {
  return kind == collective_operation::reduce || kind == collective_operation::scan ||
         kind == collective_operation::exclusive_scan;
}

default_way within_node(const collective_request& call, std::size_t bytes, std::size_t pes) {
  if (call.kind == collective_operation::neighbor_all_to_all) {
    return {topology::pairwise, 2, 0, "as neighbours are"};
  }
  measured_way row = measured_way_for(call.kind, static_cast<int>(pes), bytes);
  if (row.over == topology::shared_memory && takes_from_each(call.kind)) {
    // Of more PEs than were measured each takes more.
    const auto measured = static_cast<std::size_t>(row.pes);
    const std::size_t alike = std::max(pes, measured) * bytes / measured;
    row = measured_way_for(call.kind, row.pes, alike);
  }
  return {row.over, row.fan_out, row.segment_bytes, text_of(row)};
}

// --- Between nodes -------------------------------------------------------------------------------

// Not measured. Pieces where a tree has several levels.
constexpr std::size_t short_bytes = 8 * 1024;
constexpr std::size_t medium_bytes = 512 * 1024;
constexpr std::size_t pieces = 64 * 1024;
// Blocks for PEs of other nodes, of which those of a node's PEs are then one message.
constexpr std::size_t worth_two_hops = 1024;
// PEs that a single piece passes along a chain while others wait. Simulated: from 64 PEs on,
// dissemination within nodes first is faster.
constexpr std::size_t long_chain = 32;

default_way between_nodes(const collective_request& call, std::size_t bytes, std::size_t pes,
                          bool may_go_by_node) {
  const bool is_short = bytes <= short_bytes;
  const std::string reason = "by rule for several nodes and " + std::to_string(bytes) + " bytes";
  const auto way = [&reason](topology over, std::size_t segment_bytes = 0) {
    return default_way{over, 2, segment_bytes, reason};
  };
  switch (call.kind) {
    case collective_operation::barrier:
      return way(topology::dissemination);
    case collective_operation::broadcast:
    case collective_operation::reduce:
      return way(topology::k_nomial_tree, is_short ? 0 : pieces);
    case collective_operation::scatter:
    case collective_operation::gather:
      return way(topology::k_nomial_tree);
    case collective_operation::all_reduce:
      return way(bytes <= medium_bytes ? topology::k_nomial_tree : topology::pairwise);
    case collective_operation::all_gather:
      if (std::has_single_bit(pes)) return way(topology::butterfly);
      return way(is_short ? topology::dissemination : topology::pairwise);
    case collective_operation::all_to_all: {
      const bool is_little = call.has_equal_blocks && bytes <= worth_two_hops * pes;
      return way(is_little ? topology::grid : topology::pairwise);
    }
    case collective_operation::neighbor_all_to_all:
    case collective_operation::reduce_scatter:
      return way(topology::pairwise);
    case collective_operation::scan:
    case collective_operation::exclusive_scan: {
      const bool is_one_piece = bytes <= pieces;
      if (is_short || (is_one_piece && pes > long_chain && may_go_by_node)) {
        return way(topology::dissemination);
      }
      return way(topology::chain, pieces);
    }
  }
  return {};
}

// Of a broadcast over a circulant, 0: in one. n pieces take n - 1 + q rounds, and a round the time
// of a message and that of bytes / n: together least for n^2 = (q - 1) bytes / m, where m bytes
// travel in the time of a message.
std::size_t piece_of_fewest_rounds(std::size_t bytes, std::size_t pes) {
  const int q = circulant(static_cast<int>(pes)).phase();
  if (q < 2) return 0;
  constexpr auto m = static_cast<double>(short_bytes);
  const double best = std::sqrt(static_cast<double>(bytes) * m / (q - 1));
  const std::size_t piece = (static_cast<std::size_t>(best) / 64 + 1) * 64;  // cache lines
  return piece < bytes ? piece : 0;
}

}  // namespace

collective_way choose_way(const collective_request& call, const collective_options& options,
                          const std::vector<int>& nodes) {
  const std::size_t bytes = bytes_of(call);
  const bool by_several = are_several(nodes);
  const bool may_go_by_node = options.by_node && is_in_order(call, nodes);
  const default_way best = by_several ? between_nodes(call, bytes, nodes.size(), may_go_by_node)
                                      : within_node(call, bytes, nodes.size());
  const bool is_open = options.over == topology::automatic;
  collective_way way;
  way.over = is_open ? best.over : options.over;
  const bool is_best = way.over == best.over;
  way.fan_out = options.fan_out != 0 ? options.fan_out : is_best ? best.fan_out : 2;
  way.segment_bytes =
      options.segment_bytes == 0 && is_open ? best.segment_bytes : options.segment_bytes;
  if (way.over == topology::circulant) {
    if (way.segment_bytes == 0) way.segment_bytes = piece_of_fewest_rounds(bytes, nodes.size());
  } else if (!is_tree(way.over)) {
    way.segment_bytes = 0;
  }
  // With one child a tree is a chain.
  if (way.over == topology::k_nomial_tree && way.fan_out == 1) way.over = topology::chain;
  way.reason = is_open ? best.reason : "asked for";
  if (by_several && knows_nodes(call.kind, way.over)) {
    way.by_node = may_go_by_node;
    if (options.by_node && !may_go_by_node) {
      way.reason += "; not within nodes first: their PEs do not follow one another";
    }
  }
  return way;
}

}  // namespace boxcar::detail
