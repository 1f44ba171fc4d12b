#include "collective/choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "collective/node_grid.hpp"
#include "collective/tree.hpp"

namespace boxcar::detail {
namespace {

// Returns the number of bytes that travel, which is equal on all PEs.
std::size_t bytes_of(const collective_request& call) {
  if (call.kind == collective_operation::broadcast) return call.out.size();
  if (call.kind == collective_operation::all_to_all ||
      call.kind == collective_operation::neighbor_all_to_all || call.sizes.empty()) {
    return call.most_given;
  }
  return sum_of(call.sizes);
}

// Returns whether the collective can first combine or distribute data within nodes.
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

// Returns whether several PEs of each node can send to other nodes, each PE a share of the data
// (multi-lane). Precondition: knows_nodes(kind, over).
bool has_shares(collective_operation kind, topology over) {
  return !is_tree(over) &&
         (kind == collective_operation::broadcast || kind == collective_operation::reduce ||
          kind == collective_operation::all_reduce);
}

// Returns whether the PEs of each node must be numbered contiguously: values that are combined in
// order are combined node by node, and the leader of a node stores the blocks of its node side by
// side.
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

// Returns whether in shared memory a PE reads from each other PE as many bytes as the PE gets.
bool takes_from_each(collective_operation kind) {
  return kind == collective_operation::reduce || kind == collective_operation::scan ||
         kind == collective_operation::exclusive_scan;
}

default_way within_node(const collective_request& call, std::size_t bytes, std::size_t pes,
                        const way_table& table) {
  if (call.kind == collective_operation::neighbor_all_to_all) {
    return {topology::pairwise, 2, 0, "as neighbours are"};
  }
  measured_way row = table.find(call.kind, static_cast<int>(pes), bytes);
  if (row.over == topology::shared_memory && takes_from_each(call.kind)) {
    // A collective of more PEs than were measured reads more: the bytes are scaled up.
    const auto measured = static_cast<std::size_t>(row.pes);
    const std::size_t alike = std::max(pes, measured) * bytes / measured;
    row = table.find(call.kind, row.pes, alike);
  }
  return {row.over, row.fan_out, row.segment_bytes, text_of(row)};
}

// --- Between nodes -------------------------------------------------------------------------------

// Rules for several nodes, compared with alternatives on simulated networks: experiments/run
// collective_choice. The rules assume about a network: the latency is several times the CPU
// overhead of a message, some KiB travel in the time of a message, and the PEs of a node share a
// network adapter.

struct extent {
  std::size_t pes = 0;
  std::size_t nodes = 0;
  std::size_t pes_of_smallest_node = 0;
  bool by_node = true;
  bool is_in_order = true;
  // A node has several PEs.
  [[nodiscard]] bool has_neighbours() const { return pes > nodes; }
  // Returns whether the collective first works within nodes.
  [[nodiscard]] bool goes_by_node(const collective_request& call, topology over) const {
    return by_node && (is_in_order || !needs_order(call, over));
  }
  // A butterfly over all PEs exchanges within nodes in its first rounds, and needs no leader that
  // hands over the data of other nodes.
  [[nodiscard]] bool has_nodes_in_butterfly() const {
    return is_in_order && pes == nodes * pes_of_smallest_node && std::has_single_bit(pes) &&
           pes_of_smallest_node <= most_in_butterfly;
  }
  // With more PEs on a node the PEs wait too long for the network adapter.
  static constexpr std::size_t most_in_butterfly = 16;
  // Returns the hops from the first PE to the last PE. A hop within a node takes little time.
  [[nodiscard]] std::size_t hops_of_chain() const {
    return is_in_order ? nodes - 1 + (pes - nodes) / 4 : pes - 1;
  }
  // All PEs of a node together would exceed the bandwidth of the node's network adapter.
  [[nodiscard]] bool is_crowded() const { return pes >= 8 * nodes; }
};

// Returns the number of rounds in which the data of a member can reach all members.
std::size_t rounds_among(std::size_t members) {
  return static_cast<std::size_t>(std::bit_width(members - 1));
}

// Up to this total, the data of all PEs may be sent to each PE, which combines the data in order.
constexpr std::size_t gathered_bytes = 4 * 1024;

// Returns the best radix k of dissemination: in each round a member sends at most k - 1 messages.
// While the first message is in flight, a core sends two more messages.
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

// Number of bytes that travel in the time of a message.
constexpr std::size_t bytes_of_a_message = 8 * 1024;
// Messages up to this size are eager: the sender does not wait for the receiver
// (schedule_options::eager_bytes).
constexpr std::size_t short_bytes = 4 * 1024;
// A block above this size is worth a message of its own.
constexpr std::size_t small_block = 1024;

// Returns the best size of pieces. n pieces take n - 1 + q rounds, and a round takes the time of a
// message plus the time of bytes
//
// n. The sum is least for n^2 = (q - 1) bytes
//
// m, where m bytes travel in the time of a message. 0 means a single piece.
std::size_t piece_of_fewest_rounds(std::size_t bytes, std::size_t q) {
  if (q < 2) return 0;
  constexpr auto m = static_cast<double>(bytes_of_a_message);
  const double best = std::sqrt(static_cast<double>(bytes) * m / static_cast<double>(q - 1));
  const std::size_t piece = (static_cast<std::size_t>(best) / 64 + 1) * 64;  // cache lines
  return piece < bytes ? piece : 0;
}

// Returns how many PEs of each node send to other nodes, each a share of the data. The time of n
// sequential messages plus the time of bytes
//
// n is least for n^2 = bytes
//
// m. Experiments gave m.
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
  // While the first message is in flight, the root sends further messages.
  const default_way flat_tree = way(topology::k_nomial_tree, 4);
  const default_way pieces_in_a_tree =
      way(topology::k_ary_tree, 2, piece_of_fewest_rounds(bytes, rounds_among(all.pes)));
  // The members of a collective are nodes or PEs.
  const auto members = [&](topology over) {
    return all.goes_by_node(call, over) ? all.nodes : all.pes;
  };
  // Selects the topology with the fewest rounds.
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
      // A tree sends all bytes upward in each round.
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
      // The PEs of a node send to all other nodes: with many nodes there would be too many
      // messages.
      const bool goes_in_columns = all.has_neighbours() &&
                                   all.nodes <= 16 * all.pes_of_smallest_node &&
                                   all.goes_by_node(call, topology::pairwise);
      if (goes_in_columns && bytes > short_bytes * all.nodes) return by_pairs;
      // A ring sends large blocks one after the other.
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
      // A chain is efficient only when pieces fill its whole length.
      if (bytes <= 3 * bytes_of_a_message + 2 * small_block * all.hops_of_chain()) {
        return way(topology::dissemination);
      }
      return way(topology::chain, 2, piece_of_fewest_rounds(bytes, all.hops_of_chain()));
  }
  return {};
}

// --- In one order --------------------------------------------------------------------------------

// Returns a topology in which each element is combined sequentially from the first PE to the last
// PE; returns `over` if `over` already does so.
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
                          const std::vector<int>& nodes, const way_table& measured) {
  const std::size_t bytes = bytes_of(call);
  const node_grid grid(nodes);
  const extent all{.pes = nodes.size(),
                   .nodes = grid.nodes(),
                   .pes_of_smallest_node = grid.shortest_row(),
                   .by_node = options.by_node,
                   .is_in_order = std::ranges::is_sorted(nodes)};
  const bool by_several = all.nodes > 1;
  const default_way best =
      by_several ? between_nodes(call, bytes, all) : within_node(call, bytes, all.pes, measured);
  const bool is_open = options.over == topology::automatic;
  collective_way way;
  way.over = is_open ? best.over : options.over;
  const bool is_best = way.over == best.over;
  way.fan_out = options.fan_out != 0 ? options.fan_out : is_best ? best.fan_out : 2;
  way.segment_bytes =
      options.segment_bytes == 0 && is_open ? best.segment_bytes : options.segment_bytes;
  // Dissemination needs at least one destination in each round.
  if (way.over == topology::dissemination) way.fan_out = std::max(way.fan_out, 2);
  // A tree with a single child for each PE is a chain.
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
