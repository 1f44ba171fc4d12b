#include "collective/exchange_flows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "collective/butterfly.hpp"
#include "collective/circulant.hpp"
#include "collective/tree.hpp"
#include "collective/tree_flows.hpp"

namespace boxcar::detail {
namespace {

// Returns `pes` PEs from `first` on, in a circle, as one run or two runs.
std::vector<tree::run> circle(const flow& f, int first, int pes) {
  first = (first % f.pes() + f.pes()) % f.pes();
  if (first + pes <= f.pes()) return {{first, first + pes}};
  return {{first, f.pes()}, {0, first + pes - f.pes()}};
}

// Returns the distances of each round: 1, 2, ... k - 1, then k times as far, and so on.
std::vector<std::vector<int>> dissemination_rounds(const flow& f, int k) {
  std::vector<std::vector<int>> rounds;
  for (std::int64_t first = 1; first < f.pes(); first *= k) {
    auto& round = rounds.emplace_back();
    for (std::int64_t distance = first; distance < std::min<std::int64_t>(first * k, f.pes());
         distance += first) {
      round.push_back(static_cast<int>(distance));
    }
  }
  return rounds;
}

void send(flow& f, std::span<const std::byte> data, int to) {
  if (!data.empty()) f.send(data, to);
}
void receive(flow& f, std::span<std::byte> into, int from) {
  if (!into.empty()) f.receive(into, from);
}

// Scans along a line of PEs over the distances 1, 2, 4, ...: `sum` becomes the inclusive scan, and
// `before`, if not empty, becomes the exclusive scan. The first PE keeps its `before`.
void scan_line(flow line, std::span<std::byte> sum, std::span<std::byte> before,
               const combination_of_elements& how) {
  for (int distance = 1; distance < line.pes(); distance *= 2) {
    if (line.pe() + distance < line.pes()) line.send(sum, line.pe() + distance);
    if (line.pe() < distance) continue;
    const auto arrived = line.scratch(sum.size());
    line.receive(arrived, line.pe() - distance);
    line.combine_behind(sum, arrived, how);  // first, as later PEs wait for `sum`
    if (distance == 1) {
      line.copy(arrived.first(before.size()), before);
    } else if (!before.empty()) {
      line.combine_behind(before, arrived, how);
    }
  }
}

// Combines the parts from the first part on.
void combine_in_order(flow& f, const std::vector<std::span<std::byte>>& parts,
                      std::span<std::byte> sum, const combination_of_elements& how) {
  f.copy(parts.front(), sum);
  for (std::size_t i = 1; i < parts.size(); ++i) f.combine_with(sum, parts[i], how);
}

// Scans over rows. On entry the last PE of each row has the row's sum in `sum`; there `sum` becomes
// the inclusive scan of the rows. If `before` is not empty, all PEs of a row get the sum of all
// preceding rows in `before`.
void scan_rows(flow& f, const node_grid& g, std::span<std::byte> sum, std::span<std::byte> before,
               const combination_of_elements& how) {
  const std::vector<int>& row = g.row(g.node_of(f.pe()));
  const bool is_end = f.pe() == row.back();
  if (is_end) scan_line(f.among(g.ends_of_rows()), sum, before, how);
  if (before.empty() || row.size() == 1) return;
  // Messages to other nodes are sent first: they have the longer latency, and the PE that begins a
  // transfer within a node does most of its work.
  if (is_end) f.send_before_use_of(before);
  broadcast_down(f, tree(tree_shape::k_nomial, 2, {row.rbegin(), row.rend()}), before, 0);
}

}  // namespace

// --- Broadcast -----------------------------------------------------------------------------------

void circulant_broadcast(flow& f, int root, std::span<std::byte> data, std::size_t segment) {
  const auto pieces = segments_of(data, segment);
  for (const circulant::round& r : circulant(f.pes()).rounds(f.away(-root), pieces.size())) {
    if (r.sent) f.send(pieces[*r.sent], f.away(r.distance));
    if (r.received) f.receive(pieces[*r.received], f.away(-r.distance));
  }
}

// --- Reduce --------------------------------------------------------------------------------------

void circulant_reduce(flow& f, int root, std::span<std::byte> sum,
                      const combination_of_elements& how, std::size_t segment) {
  const circulant over(f.pes());
  const auto pieces = segments_of(sum, segment);
  // The buffers are used in turn: while some are combined others are filled.
  std::vector<std::span<std::byte>> arrivals;
  for (int k = 0; !pieces.empty() && k < over.phase(); ++k) {
    arrivals.push_back(f.scratch(pieces[0].size()));
  }
  std::size_t turn = 0;
  const auto rounds = over.rounds(f.away(-root), pieces.size());
  for (auto r = rounds.rbegin(); r != rounds.rend(); ++r) {
    if (r->received) f.send(pieces[*r->received], f.away(-r->distance));
    if (!r->sent) continue;
    const auto piece = pieces[*r->sent];
    const auto arrived = arrivals[turn++ % arrivals.size()].first(piece.size());
    f.receive(arrived, f.away(r->distance));
    f.combine_with(piece, arrived, how);
  }
}

void pairwise_reduce(flow& f, int root, const std::vector<std::size_t>& sizes,
                     std::span<std::byte> sum, const combination_of_elements& how) {
  const blocks all(sizes, sum);
  const auto mine = all.of(f.pe());
  pairwise_reduce_scatter(f, const_blocks(sizes, sum), mine, how);
  if (f.pe() != root) return send(f, mine, root);
  for (int step = 1; step < f.pes(); ++step) {
    receive(f, all.of(f.away(-step)), f.away(-step));
  }
}

// --- All-gather ----------------------------------------------------------------------------------

void ring_all_gather(flow& f, const blocks& all) {
  for (int step = 0; step + 1 < f.pes(); ++step) {
    send(f, all.of(f.away(-step)), f.away(1));
    receive(f, all.of(f.away(-step - 1)), f.away(-1));
  }
}

void pairwise_all_gather(flow& f, const blocks& all) {
  for (int step = 1; step < f.pes(); ++step) {
    send(f, all.of(f.pe()), f.away(step));
    receive(f, all.of(f.away(-step)), f.away(-step));
  }
}

// Before each round a PE has the blocks of as many PEs, up to itself, as the first distance of the
// round.
void disseminating_all_gather(flow& f, int radix, const blocks& all) {
  for (const std::vector<int>& round : dissemination_rounds(f, radix)) {
    for (const int distance : round) {
      const int more = std::min(round.front(), f.pes() - distance);
      for (const tree::run& r : circle(f, f.pe() - more + 1, more)) {
        send(f, all.of(r), f.away(distance));
      }
      for (const tree::run& r : circle(f, f.pe() - distance - more + 1, more)) {
        receive(f, all.of(r), f.away(-distance));
      }
    }
  }
}

void butterfly_all_gather(flow& f, const blocks& all) {
  const butterfly b(f.pe(), f.pes());
  const auto all_but = [&](int pe) {
    return std::array{tree::run{0, pe}, tree::run{pe + 1, f.pes()}};
  };
  if (!b.is_member()) {
    send(f, all.of(f.pe()), b.neighbour());
    for (const tree::run& r : all_but(f.pe())) receive(f, all.of(r), b.neighbour());
    return;
  }
  if (b.has_neighbour()) receive(f, all.of(b.neighbour()), b.neighbour());
  for (const butterfly::round& r : b.rounds()) {
    send(f, all.of(r.mine), r.partner);
    receive(f, all.of(r.theirs), r.partner);
  }
  if (!b.has_neighbour()) return;
  for (const tree::run& r : all_but(b.neighbour())) send(f, all.of(r), b.neighbour());
}

// --- All-to-all ----------------------------------------------------------------------------------

void pairwise_all_to_all(flow& f, const const_blocks& from, const blocks& into) {
  f.copy(from.of(f.pe()), into.of(f.pe()));
  for (int step = 1; step < f.pes(); ++step) {
    send(f, from.of(f.away(step)), f.away(step));
    receive(f, into.of(f.away(-step)), f.away(-step));
  }
}

void grid_all_to_all(flow& f, const node_grid& g, const const_blocks& from, const blocks& into) {
  const std::size_t block = from.of(0).size();
  if (block == 0) return;
  const int here = g.node_of(f.pe());
  const std::vector<int>& row = g.row(here);
  const auto place = [block](auto memory, std::size_t i) {
    return memory.subspan(i * block, block);
  };
  // `reached` lists the PEs that the current PE reaches as a gateway; `held` stores the blocks of
  // the row for these PEs.
  const std::vector<int> reached = g.reached_over(f.pe());
  std::vector<std::span<const std::byte>> held;
  for (const int other : row) {
    const std::vector<int> others = g.reached_over(other);
    const auto packed = f.scratch(others.size() * block);
    for (std::size_t i = 0; i < others.size(); ++i) f.copy(from.of(others[i]), place(packed, i));
    if (other == f.pe()) {
      held.emplace_back(packed);
    } else {
      f.send(packed, other);
      const auto arriving = f.scratch(reached.size() * block);
      f.receive(arriving, other);
      held.emplace_back(arriving);
    }
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const bool is_here = reached[i] == f.pe();
    const auto packed = is_here ? std::span<std::byte>() : f.scratch(row.size() * block);
    for (std::size_t k = 0; k < row.size(); ++k) {
      f.copy(place(held[k], i), is_here ? into.of(row[k]) : place(packed, k));
    }
    if (!is_here) f.send(packed, reached[i]);
  }
  for (int node = 0; node < static_cast<int>(g.nodes()); ++node) {
    if (node == here) continue;
    const auto arriving = f.scratch(g.row(node).size() * block);
    f.receive(arriving, g.gateway(node, f.pe()));
    for (std::size_t k = 0; k < g.row(node).size(); ++k) {
      f.copy(place(arriving, k), into.of(g.row(node)[k]));
    }
  }
}

void neighbor_all_to_all(flow& f, const std::vector<int>& to, const const_blocks& given,
                         const std::vector<int>& from, const blocks& into) {
  const auto of_self = [&f](const std::vector<int>& pes, const auto& all) {
    std::vector<decltype(all.of(0))> own;
    for (std::size_t i = 0; i < pes.size(); ++i) {
      if (pes[i] == f.pe()) own.push_back(all.of(static_cast<int>(i)));
    }
    return own;
  };
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] != f.pe()) send(f, given.of(static_cast<int>(i)), to[i]);
  }
  const auto own = of_self(to, given);
  const auto own_places = of_self(from, into);
  for (std::size_t i = 0; i < own.size(); ++i) f.copy(own[i], own_places[i]);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != f.pe()) receive(f, into.of(static_cast<int>(i)), from[i]);
  }
}

// --- All-reduce, reduce-scatter ------------------------------------------------------------------

void butterfly_all_reduce(flow& f, std::span<std::byte> sum, const combination_of_elements& how) {
  if (sum.empty()) return;
  const butterfly b(f.pe(), f.pes());
  if (!b.is_member()) {
    f.send(sum, b.neighbour());
    f.receive(sum, b.neighbour());
    return;
  }
  if (b.has_neighbour()) {
    const auto arrived = f.scratch(sum.size());
    f.receive(arrived, b.neighbour());
    f.combine_with(sum, arrived, how);
  }
  for (const butterfly::round& r : b.rounds()) {
    const auto arrived = f.scratch(sum.size());
    f.send(sum, r.partner);
    f.receive(arrived, r.partner);
    if (r.theirs.first > r.mine.first || how.is_exact()) {
      f.combine_with(sum, arrived, how);
    } else {
      // Combines in the partner's order, so that even NaNs have equal bits on both PEs.
      f.combine_with(arrived, sum, how);
      f.copy(arrived, sum);
    }
  }
  if (b.has_neighbour()) f.send(sum, b.neighbour());
}

void gathering_all_reduce(flow& f, int radix, std::span<const std::byte> mine,
                          std::span<std::byte> sum, const combination_of_elements& how) {
  const std::size_t bytes = sum.size();
  const auto pes = static_cast<std::size_t>(f.pes());
  const std::vector<std::size_t> sizes(pes, bytes);
  const blocks all(sizes, f.scratch(pes * bytes));
  f.copy(mine, all.of(f.pe()));
  disseminating_all_gather(f, radix, all);
  std::vector<std::span<std::byte>> parts;
  for (int pe = 0; pe < f.pes(); ++pe) parts.push_back(all.of(pe));
  combine_in_order(f, parts, sum, how);
}

// After each round a PE has the combined value of the last `known` PEs up to itself, around the
// circle. `known` grows along the binary digits of the number of PEs.
void disseminating_all_reduce(flow& f, std::span<const std::byte> mine, std::span<std::byte> sum,
                              const combination_of_elements& how) {
  if (sum.empty()) return;
  const auto own = f.scratch(sum.size());
  f.copy(mine, own);
  f.copy(mine, sum);
  const auto take = [&](int distance) {
    const auto arrived = f.scratch(sum.size());
    f.receive(arrived, f.away(-distance));
    f.combine_with(sum, arrived, how);
  };
  const auto pes = static_cast<unsigned>(f.pes());
  int known = 1;
  for (unsigned bit = std::bit_floor(pes) / 2; bit != 0; bit /= 2) {
    const int before = known;
    const bool one_more = (pes & bit) != 0;
    f.send(sum, f.away(before));
    if (one_more) f.send(own, f.away(2 * before));
    take(before);
    if (one_more) take(2 * before);
    known = 2 * before + (one_more ? 1 : 0);
  }
}

void pairwise_reduce_scatter(flow& f, const const_blocks& from, std::span<std::byte> sum,
                             const combination_of_elements& how) {
  for (int step = 1; step < f.pes(); ++step) send(f, from.of(f.away(step)), f.away(step));
  std::vector<std::span<std::byte>> arrived(static_cast<std::size_t>(f.pes()));
  const auto of = [&arrived](int pe) -> auto& { return arrived[static_cast<std::size_t>(pe)]; };
  for (int step = 1; step < f.pes(); ++step) {
    of(f.away(-step)) = f.scratch(sum.size());
    receive(f, of(f.away(-step)), f.away(-step));
  }
  const auto mine = from.of(f.pe());
  of(f.pe()) = f.pe() == 0 ? sum : f.scratch(sum.size());  // `sum` may lie in `from`
  f.copy(mine, of(f.pe()));
  combine_in_order(f, arrived, sum, how);
}

// --- Scans ---------------------------------------------------------------------------------------

void chain_scan(flow& f, std::span<std::byte> sum, const combination_of_elements& how,
                std::size_t segment) {
  for (const auto piece : segments_of(sum, segment)) {
    if (f.pe() > 0) {
      const auto arrived = f.scratch(piece.size());
      f.receive(arrived, f.pe() - 1);
      f.combine_behind(piece, arrived, how);
    }
    if (f.pe() + 1 < f.pes()) f.send(piece, f.pe() + 1);
  }
}

void exclusive_chain_scan(flow& f, std::span<const std::byte> mine, std::span<std::byte> before,
                          const combination_of_elements& how, std::size_t segment) {
  const bool is_last = f.pe() + 1 == f.pes();
  const auto with_mine = f.scratch(is_last ? 0 : mine.size());
  std::size_t at = 0;
  for (const auto piece : segments_of(before, segment)) {
    if (f.pe() > 0) f.receive(piece, f.pe() - 1);
    if (!is_last) {
      const auto next = with_mine.subspan(at, piece.size());
      f.copy(piece, next);
      f.combine_with(next, mine.subspan(at, piece.size()), how);
      f.send(next, f.pe() + 1);
    }
    at += piece.size();
  }
}

void disseminating_scan(flow& f, const node_grid& g, std::span<std::byte> sum,
                        const combination_of_elements& how) {
  if (sum.empty()) return;
  const int node = g.node_of(f.pe());
  const std::vector<int>& row = g.row(node);
  scan_line(f.among(row), sum, {}, how);
  const bool is_awaited = node > 0 && row.size() > 1;
  const auto before_node = f.scratch(is_awaited ? sum.size() : 0);
  scan_rows(f, g, sum, before_node, how);
  if (is_awaited && f.pe() != row.back()) f.combine_behind(sum, before_node, how);
}

// The value that PE 0 has in `before` is included in all messages to which PE 0 contributes.
void exclusive_disseminating_scan(flow& f, const node_grid& g, std::span<const std::byte> mine,
                                  std::span<std::byte> before, const combination_of_elements& how) {
  if (before.empty()) return;
  const int node = g.node_of(f.pe());
  const std::vector<int>& row = g.row(node);
  const auto sum = f.scratch(before.size());
  if (f.pe() == 0) {
    f.copy(before, sum);
    f.combine_with(sum, mine, how);
  } else {
    f.copy(mine, sum);
  }
  scan_line(f.among(row), sum, before, how);
  if (node == 0) return scan_rows(f, g, sum, {}, how);
  const bool is_first = f.pe() == row.front();
  const auto before_node = is_first ? before : f.scratch(before.size());
  scan_rows(f, g, sum, before_node, how);
  if (!is_first) f.combine_behind(before, before_node, how);
}

// --- Barriers ------------------------------------------------------------------------------------

void pairwise_barrier(flow& f) {
  for (int step = 1; step < f.pes(); ++step) {
    f.send({}, f.away(step));
    f.receive({}, f.away(-step));
  }
}

void disseminating_barrier(flow& f, int radix) {
  for (const std::vector<int>& round : dissemination_rounds(f, radix)) {
    for (const int distance : round) {
      f.send({}, f.away(distance));
      f.receive({}, f.away(-distance));
    }
    f.fence();
  }
}

void butterfly_barrier(flow& f) {
  const butterfly b(f.pe(), f.pes());
  if (!b.is_member()) {
    f.send({}, b.neighbour());
    f.receive({}, b.neighbour());
    return;
  }
  if (b.has_neighbour()) f.receive({}, b.neighbour());
  f.fence();
  for (const butterfly::round& r : b.rounds()) {
    f.send({}, r.partner);
    f.receive({}, r.partner);
    f.fence();
  }
  if (b.has_neighbour()) f.send({}, b.neighbour());
}

}  // namespace boxcar::detail
