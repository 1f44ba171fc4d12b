#include "collective/choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "collective/measured_ways.hpp"
#include "collective/node_grid.hpp"
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
  switch (kind) {
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      return over == topology::dissemination;
    case collective_operation::barrier:
    case collective_operation::broadcast:
    case collective_operation::reduce:
    case collective_operation::all_reduce:
    case collective_operation::all_gather:
      return true;
    default:
      return is_tree(over) ||
             (kind == collective_operation::reduce_scatter && over == topology::pairwise);
  }
}

// Then whether several PEs of each node can send to others, each a share.
bool has_shares(collective_operation kind, topology over) {
  return !is_tree(over) &&
         (kind == collective_operation::broadcast || kind == collective_operation::reduce ||
          kind == collective_operation::all_reduce);
}

// And whether the PEs of each node must follow one another: what is combined in order is so node
// by node, and what the leader of a node has of all of it lies side by side.
bool needs_order(const collective_request& call, topology over) {
  switch (call.kind) {
    case collective_operation::reduce:
    case collective_operation::all_reduce:
    case collective_operation::reduce_scatter:
      return !call.how.numbers.has_value();
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      return true;
    case collective_operation::all_gather:
      return !is_tree(over) && over != topology::pairwise;
    default:
      return false;
  }
}

struct default_way {
  topology over = topology::k_nomial_tree;
  int fan_out = 2;
  std::size_t segment_bytes = 0;
  std::string reason = {};
  bool may_go_by_node = true;
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
  std::size_t pes_of_smallest_node = 0;
  bool by_node = true;
  bool is_in_order = true;
  // A node has several PEs.
  [[nodiscard]] bool has_neighbours() const { return pes > nodes; }
  // Whether a collective that knows nodes goes within them first.
  [[nodiscard]] bool goes_by_node(const collective_request& call, topology over) const {
    return by_node && (is_in_order || !needs_order(call, over));
  }
  // A butterfly of all PEs has those of a node exchange first, and needs nobody to hand over what
  // comes from other nodes.
  [[nodiscard]] bool has_nodes_in_butterfly() const {
    return is_in_order && pes == nodes * pes_of_smallest_node && std::has_single_bit(pes) &&
           pes_of_smallest_node <= most_in_butterfly;
  }
  // More of a node wait too long for its adapter.
  static constexpr std::size_t most_in_butterfly = 16;
  // From the first PE to the last one. A hop within a node takes little.
  [[nodiscard]] std::size_t hops_of_chain() const {
    return is_in_order ? nodes - 1 + (pes - nodes) / 4 : pes - 1;
  }
  // What all PEs of a node send to others is more than its adapter carries.
  [[nodiscard]] bool is_crowded() const { return pes >= 8 * nodes; }
};

// Rounds in which what one has can reach so many.
std::size_t rounds_among(std::size_t members) {
  return static_cast<std::size_t>(std::bit_width(members - 1));
}

// What all of these have, altogether, may be sent to each, who combines it in their order.
constexpr std::size_t gathered_bytes = 4 * 1024;

// The k of dissemination among so many, in rounds of at most k - 1 messages of each. In the time in
// which the first one arrives two more leave a core.
int radix_among(std::size_t members) {
  int best = 2;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (int k = 2; k <= 8; ++k) {
    const auto radix = static_cast<std::size_t>(k);
    std::size_t time = 0;
    for (std::size_t reached = 1; reached < members; reached *= radix) {
      time += 2 + std::min(radix - 1, (members - 1) / reached);
    }
    if (time < least) {
      best = k;
      least = time;
    }
  }
  return best;
}

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

// How many PEs of each node send to others, each a share: n messages one after the other, and the
// time of bytes / n, are together least for n^2 = bytes / m. m was found by trial.
std::size_t columns_for(std::size_t bytes, const extent& all) {
  constexpr double m = 512;
  const auto best = static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes) / m));
  return std::clamp<std::size_t>(best, 1, all.pes_of_smallest_node);
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
      way(topology::k_ary_tree, 2, piece_of_fewest_rounds(bytes, rounds_among(all.pes)));
  // PEs, or nodes.
  const auto members = [&](topology over) {
    return all.goes_by_node(call, over) ? all.nodes : all.pes;
  };
  // In as few rounds as can be.
  const std::size_t columns =
      all.goes_by_node(call, topology::pairwise) ? columns_for(bytes, all) : 1;
  const auto in_fewest_rounds = [&] {
    if (std::has_single_bit(members(topology::butterfly))) return way(topology::butterfly);
    const std::size_t n = members(topology::dissemination);
    if (call.kind != collective_operation::all_reduce || call.how.is_exact()) {
      return way(topology::dissemination);
    }
    return bytes / columns * n <= gathered_bytes ? way(topology::dissemination, radix_among(n))
                                                 : way(topology::butterfly);
  };
  const default_way doubling = in_fewest_rounds();
  default_way doubling_of_little = doubling;
  if (all.has_nodes_in_butterfly()) {
    doubling_of_little = way(topology::butterfly);
    doubling_of_little.may_go_by_node = false;
  }
  const default_way by_pairs = way(topology::pairwise);

  switch (call.kind) {
    case collective_operation::barrier: {
      const std::size_t n = members(topology::dissemination);
      return n > 2 ? way(topology::dissemination, radix_among(n)) : doubling_of_little;
    }
    case collective_operation::broadcast:
      if (is_short) return flat_tree;
      return columns == 1 && bytes <= 2 * bytes_of_a_message ? pieces_in_a_tree
                                                             : way(topology::circulant);
    case collective_operation::reduce: {
      const bool is_ordered = needs_order(call, topology::circulant);
      if (columns > 1 && !is_ordered && !is_short) return way(topology::circulant);
      const bool are_large = bytes > small_block * columns * all.nodes;
      if (columns > 1 && are_large && bytes > 4 * bytes_of_a_message) return by_pairs;
      if (bytes <= bytes_of_a_message) return flat_tree;
      // Up a tree goes all of it in each round.
      const std::size_t in_rounds = bytes * rounds_among(members(topology::circulant));
      if (!is_ordered && in_rounds > 8 * bytes_of_a_message) return way(topology::circulant);
      return bytes <= 8 * bytes_of_a_message ? way(topology::k_nomial_tree) : pieces_in_a_tree;
    }
    case collective_operation::scatter:
    case collective_operation::gather:
      return flat_tree;
    case collective_operation::all_reduce: {
      const std::size_t most = small_block * members(topology::pairwise);
      if (bytes / columns <= std::max(short_bytes, most)) {
        return columns == 1 ? doubling_of_little : doubling;
      }
      return columns == 1 && all.is_crowded() ? pieces_in_a_tree : by_pairs;
    }
    case collective_operation::all_gather: {
      // The PEs of a node have messages for all others: of these there may be too many.
      const bool goes_in_columns = all.has_neighbours() &&
                                   all.nodes <= 16 * all.pes_of_smallest_node &&
                                   all.goes_by_node(call, topology::pairwise);
      if (goes_in_columns && bytes > short_bytes * all.nodes) return by_pairs;
      // Large blocks travel one behind the other.
      const std::size_t each = bytes / members(topology::ring);
      if (doubling.over == topology::dissemination && each > 4 * bytes_of_a_message) {
        return way(topology::ring);
      }
      return is_short ? doubling_of_little : doubling;
    }
    case collective_operation::all_to_all:
      return way(call.has_equal_blocks && blocks_of(small_block) ? topology::grid
                                                                 : topology::pairwise);
    case collective_operation::neighbor_all_to_all:
      return by_pairs;
    case collective_operation::reduce_scatter: {
      const std::size_t n = members(topology::pairwise);
      return n > 8 && bytes <= small_block / 2 * n ? flat_tree : by_pairs;
    }
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      // A chain must be full of pieces.
      if (bytes <= 3 * bytes_of_a_message + 2 * small_block * all.hops_of_chain()) {
        return way(topology::dissemination);
      }
      return way(topology::chain, 2, piece_of_fewest_rounds(bytes, all.hops_of_chain()));
  }
  return {};
}

// --- In one order --------------------------------------------------------------------------------

// Over which each element is combined from the first PE to the last one, one after the other: the
// topology itself, if it does so.
topology in_one_order(collective_operation kind, topology over, std::size_t bytes,
                      std::size_t pes) {
  const bool is_scan =
      kind == collective_operation::scan || kind == collective_operation::exclusive_scan;
  if (over == topology::shared_memory) return over;
  if (is_scan) return topology::chain;
  if (kind != collective_operation::all_reduce || over == topology::pairwise) {
    return topology::pairwise;
  }
  const bool is_little = bytes * pes <= gathered_bytes;
  return over == topology::dissemination || is_little ? topology::dissemination
                                                      : topology::pairwise;
}

bool combines(collective_operation kind) {
  switch (kind) {
    case collective_operation::reduce:
    case collective_operation::all_reduce:
    case collective_operation::reduce_scatter:
    case collective_operation::scan:
    case collective_operation::exclusive_scan:
      return true;
    default:
      return false;
  }
}

}  // namespace

collective_way choose_way(const collective_request& call, const collective_options& options,
                          const std::vector<int>& nodes) {
  const std::size_t bytes = bytes_of(call);
  const node_grid grid(nodes);
  const extent all{.pes = nodes.size(),
                   .nodes = grid.nodes(),
                   .pes_of_smallest_node = grid.shortest_row(),
                   .by_node = options.by_node,
                   .is_in_order = std::ranges::is_sorted(nodes)};
  const bool by_several = all.nodes > 1;
  const default_way best =
      by_several ? between_nodes(call, bytes, all) : within_node(call, bytes, all.pes);
  const bool is_open = options.over == topology::automatic;
  collective_way way;
  way.over = is_open ? best.over : options.over;
  const bool is_best = way.over == best.over;
  way.fan_out = options.fan_out != 0 ? options.fan_out : is_best ? best.fan_out : 2;
  way.segment_bytes =
      options.segment_bytes == 0 && is_open ? best.segment_bytes : options.segment_bytes;
  // A PE reaches others in each round.
  if (way.over == topology::dissemination) way.fan_out = std::max(way.fan_out, 2);
  // With one child a tree is a chain.
  if (way.over == topology::k_nomial_tree && way.fan_out == 1) way.over = topology::chain;
  way.reason = is_open ? best.reason : "asked for";
  if (way.over == topology::circulant && needs_order(call, way.over)) {
    way.over = topology::pairwise;
    way.reason += "; not over a circulant graph, where elements are combined in any order";
  }
  const bool is_reproducible = options.reproducible && combines(call.kind) && !call.how.is_exact();
  if (is_reproducible) {
    const topology over = in_one_order(call.kind, way.over, bytes, all.pes);
    if (over != way.over) {
      way.reason += "; not over the topology \"" + std::string(name_of(way.over)) +
                    "\", where elements are combined in another order";
      way.over = over;
      if (over == topology::dissemination) way.fan_out = radix_among(all.pes);
    }
  } else if (by_several && all.has_neighbours() && knows_nodes(call.kind, way.over)) {
    const bool goes_by_node = all.goes_by_node(call, way.over);
    way.by_node = goes_by_node && (!is_open || best.may_go_by_node);
    if (options.by_node && !goes_by_node) {
      way.reason += "; not within nodes first: their PEs do not follow one another";
    }
  }
  if (way.by_node && has_shares(call.kind, way.over)) way.columns = columns_for(bytes, all);
  if (way.over == topology::circulant) {
    if (way.segment_bytes == 0) {
      way.segment_bytes = piece_of_fewest_rounds(bytes / way.columns,
                                                 rounds_among(way.by_node ? all.nodes : all.pes));
    }
  } else if (!is_tree(way.over)) {
    way.segment_bytes = 0;
  }
  return way;
}

}  // namespace boxcar::detail
