#include "collective/choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>

#include "collective/measured_ways.hpp"
#include "collective/tree.hpp"

namespace boxcar::detail {
namespace {

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

// Rules, compared with other ways on simulated networks: experiments/run collective_choice. They
// know of a network that its latency is some times what a message costs a core, that some KiB
// travel in the time of a message, and that the PEs of a node share its adapter.

struct extent {
  std::size_t pes = 0;
  std::size_t nodes = 0;
  // What all PEs of a node send to others is more than its adapter carries.
  [[nodiscard]] bool is_crowded() const { return pes >= 8 * nodes; }
  // Rounds in which what one has can reach all.
  [[nodiscard]] std::size_t rounds() const {
    return static_cast<std::size_t>(std::bit_width(pes - 1));
  }
};

// As many travel in the time of a message.
constexpr std::size_t bytes_of_a_message = 8 * 1024;
// Sent without waiting for the receiver's word (schedule_options::eager_bytes).
constexpr std::size_t short_bytes = 4 * 1024;
// Larger blocks are worth a message of their own.
constexpr std::size_t small_block = 1024;

// n pieces in n - 1 + q rounds, each of which takes the time of a message and that of bytes / n:
// together least for n^2 = (q - 1) bytes / m, where m bytes travel in the time of a message. 0: in
// one.
std::size_t piece_of_fewest_rounds(std::size_t bytes, std::size_t q) {
  if (q < 2) return 0;
  constexpr auto m = static_cast<double>(bytes_of_a_message);
  const double best = std::sqrt(static_cast<double>(bytes) * m / static_cast<double>(q - 1));
  const std::size_t piece = (static_cast<std::size_t>(best) / 64 + 1) * 64;  // cache lines
  return piece < bytes ? piece : 0;
}

default_way between_nodes(const collective_request& call, std::size_t bytes, const extent& all) {
  const std::string reason = "by rule for several nodes and " + std::to_string(bytes) + " bytes";
  const auto way = [&reason](topology over, int fan_out = 2, std::size_t segment_bytes = 0) {
    return default_way{over, fan_out, segment_bytes, reason};
  };
  const bool is_short = bytes <= short_bytes;
  const auto blocks_of = [&](std::size_t most) { return bytes <= most * all.pes; };
  // While the first message is on its way, others leave.
  const default_way flat_tree = way(topology::k_nomial_tree, 4);
  const default_way pieces_in_a_tree =
      way(topology::k_ary_tree, 2, piece_of_fewest_rounds(bytes, all.rounds()));
  // In as few rounds as can be.
  const default_way doubling =
      way(std::has_single_bit(all.pes) ? topology::butterfly : topology::dissemination);

  switch (call.kind) {
    case collective_operation::barrier:
      return doubling;
    case collective_operation::broadcast:
      if (is_short) return flat_tree;
      // Over a circulant most PEs get all of it from another node.
      return bytes <= 2 * bytes_of_a_message || all.is_crowded() || all.nodes == 2
                 ? pieces_in_a_tree
                 : way(topology::circulant);
    case collective_operation::reduce:
      if (bytes <= bytes_of_a_message) return flat_tree;
      return bytes <= 8 * bytes_of_a_message ? way(topology::k_nomial_tree) : pieces_in_a_tree;
    case collective_operation::scatter:
    case collective_operation::gather:
      return flat_tree;
    case collective_operation::all_reduce:
      if (is_short) return doubling;
      if (all.is_crowded()) return pieces_in_a_tree;
      return blocks_of(small_block) ? doubling : way(topology::pairwise);
    case collective_operation::all_gather: {
      // Around the ring it enters each node once.
      const bool is_long = !blocks_of(bytes_of_a_message) && all.pes > all.nodes;
      return is_long ? way(topology::ring) : doubling;
    }
    case collective_operation::all_to_all:
      return way(call.has_equal_blocks && blocks_of(small_block) ? topology::grid
                                                                 : topology::pairwise);
    case collective_operation::neighbor_all_to_all:
      return way(topology::pairwise);
    case collective_operation::reduce_scatter:
      return all.pes > 8 && blocks_of(small_block / 2) ? flat_tree : way(topology::pairwise);
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      // A chain has as many hops as PEs, and must be full of pieces.
      if (bytes <= bytes_of_a_message || blocks_of(2 * small_block)) {
        return way(topology::dissemination);
      }
      return way(topology::chain, 2, piece_of_fewest_rounds(bytes, all.pes - 1));
  }
  return {};
}

}  // namespace

collective_way choose_way(const collective_request& call, const collective_options& options,
                          const std::vector<int>& nodes) {
  const std::size_t bytes = bytes_of(call);
  const extent all{.pes = nodes.size(),
                   .nodes = static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1};
  const bool by_several = all.nodes > 1;
  const bool may_go_by_node = options.by_node && is_in_order(call, nodes);
  const default_way best =
      by_several ? between_nodes(call, bytes, all) : within_node(call, bytes, all.pes);
  const bool is_open = options.over == topology::automatic;
  collective_way way;
  way.over = is_open ? best.over : options.over;
  const bool is_best = way.over == best.over;
  way.fan_out = options.fan_out != 0 ? options.fan_out : is_best ? best.fan_out : 2;
  way.segment_bytes =
      options.segment_bytes == 0 && is_open ? best.segment_bytes : options.segment_bytes;
  if (way.over == topology::circulant) {
    if (way.segment_bytes == 0) way.segment_bytes = piece_of_fewest_rounds(bytes, all.rounds());
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
