#include "collective/node_flows.hpp"

#include <numeric>

#include "collective/exchange_flows.hpp"
#include "collective/tree.hpp"
#include "collective/tree_flows.hpp"

namespace boxcar::detail {
namespace {

flow row_of(const flow& f, const node_grid& g) {
  return f.among(g.row(g.node_of(f.pe())));
}
// The first PE of its row.
bool is_leader(const flow& row) {
  return row.pe() == 0;
}
tree below_leader(const flow& row) {
  return {tree_shape::k_nomial, 2, order_from(0, row.pes())};
}
flow leaders(const flow& f, const node_grid& g) {
  return f.among(g.column(0, 1));
}

std::vector<std::size_t> shares_of(std::span<std::byte> data, std::size_t element_bytes,
                                   std::size_t columns) {
  return equal_shares(data.size() / element_bytes, element_bytes, static_cast<int>(columns));
}
// Of each PE of a row the shares of its columns.
std::vector<std::size_t> sizes_in_row(const node_grid& g, int node,
                                      const std::vector<std::size_t>& shares) {
  std::vector<std::size_t> sizes(g.row(node).size());
  for (std::size_t c = 0; c < shares.size(); ++c) {
    sizes[g.place_in_column(node, c, shares.size())] += shares[c];
  }
  return sizes;
}

// `what(column, share)` for the columns in which the PE is.
template <typename What>
void in_own_columns(const flow& f, const node_grid& g, const blocks& shares, std::size_t columns,
                    const What& what) {
  const auto node = static_cast<std::size_t>(g.node_of(f.pe()));
  for (std::size_t c = 0; c < columns; ++c) {
    const std::vector<int> column = g.column(c, columns);
    if (column[node] == f.pe()) what(f.among(column), shares.of(static_cast<int>(c)));
  }
}

}  // namespace

void broadcast_in_columns(
    flow& f, const node_grid& g, std::size_t columns, int root, std::span<std::byte> data,
    std::size_t element_bytes, std::size_t segment,
    const std::function<void(flow column, std::span<std::byte> share)>& between) {
  flow row = row_of(f, g);
  const int node = g.node_of(f.pe());
  const auto shares = shares_of(data, element_bytes, columns);
  const blocks in_row(sizes_in_row(g, node, shares), data);
  const auto mine = in_row.of(row.pe());
  const bool has_root = node == g.node_of(root);
  if (f.pe() == root) {
    for (int pe = 1; pe < row.pes(); ++pe) send_all(row, in_row.of(pe), pe, segment);
  } else if (has_root) {
    receive_all(row, mine, 0, segment);
  }
  in_own_columns(f, g, blocks(shares, data), columns, between);
  for (const auto piece : segments_of(mine, segment)) {
    for (int step = 1; step < row.pes(); ++step) {
      const int to = row.away(step);
      if (!has_root || to != 0) row.send(piece, to);
    }
  }
  if (f.pe() == root) return;
  for (int step = 1; step < row.pes(); ++step) {
    const int from = row.away(-step);
    receive_all(row, in_row.of(from), from, segment);
  }
}

void all_reduce_in_columns(
    flow& f, const node_grid& g, std::size_t columns, std::span<const std::byte> mine,
    std::span<std::byte> sum, const combination_of_elements& how,
    const std::function<void(flow column, std::span<std::byte> share)>& between) {
  flow row = row_of(f, g);
  if (columns == 1) {
    const tree t = below_leader(row);
    reduce_up(row, t, mine, sum, how, 0);
    if (is_leader(row)) between(leaders(f, g), sum);
    return broadcast_down(row, t, sum, 0);
  }
  const auto shares = shares_of(sum, how.element_bytes, columns);
  const auto sizes = sizes_in_row(g, g.node_of(f.pe()), shares);
  const blocks in_row(sizes, sum);
  pairwise_reduce_scatter(row, const_blocks(sizes, mine), in_row.of(row.pe()), how);
  in_own_columns(f, g, blocks(shares, sum), columns, between);
  pairwise_all_gather(row, in_row);
}

void reduce_scatter_in_columns(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                               std::span<const std::byte> from, std::span<std::byte> sum,
                               const combination_of_elements& how) {
  flow row = row_of(f, g);
  const int here = g.node_of(f.pe());
  // What PEs of the row combine lies side by side.
  const const_blocks given(sizes, from);
  const auto packed = f.scratch(from.size());
  std::vector<std::size_t> packed_sizes;
  std::size_t at = 0;
  std::vector<std::span<std::byte>> combined;  // for those that this PE reaches
  const std::vector<int> reached = g.reached_over(f.pe());
  for (const int mate : g.row(here)) {
    const std::size_t begin = at;
    for (const int pe : g.reached_over(mate)) {
      const auto block = given.of(pe);
      const auto place = packed.subspan(at, block.size());
      f.copy(block, place);
      if (mate == f.pe()) combined.push_back(place);
      at += block.size();
    }
    packed_sizes.push_back(at - begin);
  }
  const blocks in_row(packed_sizes, packed);
  pairwise_reduce_scatter(row, const_blocks(packed_sizes, packed), in_row.of(row.pe()), how);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == f.pe()) {
      f.copy(combined[i], sum);
    } else if (!combined[i].empty()) {
      f.send(combined[i], reached[i]);
    }
  }
  if (sum.empty()) return;
  const auto arrived_from = [&](int node) {
    const auto arrived = f.scratch(sum.size());
    f.receive(arrived, g.gateway(node, f.pe()));
    return arrived;
  };
  for (int node = here - 1; node >= 0; --node) f.combine_behind(sum, arrived_from(node), how);
  for (int node = here + 1; node < static_cast<int>(g.nodes()); ++node) {
    f.combine_with(sum, arrived_from(node), how);
  }
}

void all_gather_in_columns(flow& f, const node_grid& g, const blocks& all) {
  flow row = row_of(f, g);
  const int here = g.node_of(f.pe());
  const auto mine = all.of(f.pe());
  for (int step = 1; step < static_cast<int>(g.nodes()); ++step) {
    const int node = (here + step) % static_cast<int>(g.nodes());
    if (!mine.empty()) f.send(mine, g.gateway(node, f.pe()));
  }
  for (const int pe : g.reached_over(f.pe())) {
    const auto block = all.of(pe);
    if (block.empty()) continue;
    if (pe != f.pe()) f.receive(block, pe);
    for (int step = 1; step < row.pes(); ++step) row.send(block, row.away(step));
  }
  for (int step = 1; step < row.pes(); ++step) {
    const int from = row.away(-step);
    for (const int pe : g.reached_over(g.row(here)[static_cast<std::size_t>(from)])) {
      if (!all.of(pe).empty()) row.receive(all.of(pe), from);
    }
  }
}

void all_gather_by_leaders(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                           std::span<std::byte> all,
                           const std::function<void(flow leaders, const blocks& all)>& between) {
  flow row = row_of(f, g);
  const int here = g.node_of(f.pe());
  const blocks of_pes(sizes, all);
  std::vector<std::size_t> sizes_of_nodes;
  for (int node = 0; node < static_cast<int>(g.nodes()); ++node) {
    const std::vector<int>& pes = g.row(node);
    sizes_of_nodes.push_back(of_pes.of({pes.front(), pes.back() + 1}).size());
  }
  const blocks of_nodes(sizes_of_nodes, all);
  const auto first = sizes.begin() + g.row(here).front();
  const tree t = below_leader(row);
  gather_up(row, t, of_pes.of(f.pe()), {first, first + row.pes()}, of_nodes.of(here), 0);
  if (is_leader(row)) between(leaders(f, g), of_nodes);
  broadcast_down(row, t, all, 0);
}

void barrier_by_leaders(flow& f, const node_grid& g,
                        const std::function<void(flow leaders)>& between) {
  flow row = row_of(f, g);
  tree_barrier(row, below_leader(row), [&] { between(leaders(f, g)); });
}

}  // namespace boxcar::detail
