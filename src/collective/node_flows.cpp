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
// The leader is the first PE of a row.
bool is_leader(const flow& row) {
  return row.pe() == 0;
}
tree below_leader(const flow& row) {
  return {tree_shape::k_nomial, 2, order_from(0, row.pes())};
}
flow leaders(const flow& f, const node_grid& g) {
  return f.among(g.column(0, 1));
}

// Returns the size of each PE's share in a row; 0 for PEs in no column.
std::vector<std::size_t> sizes_in_row(const node_grid& g, int node, std::size_t bytes,
                                      std::size_t element_bytes, std::size_t columns) {
  const auto shares = equal_shares(bytes / element_bytes, element_bytes, static_cast<int>(columns));
  std::vector<std::size_t> sizes(g.row(node).size());
  for (std::size_t c = 0; c < columns; ++c) {
    sizes[g.place_in_column(node, c, columns)] = shares[c];
  }
  return sizes;
}

// Calls `what` with the PE's column if the PE is in a column.
template <typename What>
void in_own_column(const flow& f, const node_grid& g, std::size_t columns, const What& what) {
  const auto node = static_cast<std::size_t>(g.node_of(f.pe()));
  for (std::size_t c = 0; c < columns; ++c) {
    const std::vector<int> column = g.column(c, columns);
    if (column[node] == f.pe()) return what(f.among(column));
  }
}

// Combines the values of a row: each PE in a column gets its share, or the leader the whole if
// there is a single column.
void combine_shares(flow& row, const std::vector<std::size_t>& sizes, std::size_t columns,
                    std::span<const std::byte> mine, std::span<std::byte> share,
                    const combination_of_elements& how) {
  if (columns == 1) return reduce_up(row, below_leader(row), mine, share, how, 0);
  pairwise_reduce_scatter(row, const_blocks(sizes, mine), share, how);
}

}  // namespace

void broadcast_in_columns(
    flow& f, const node_grid& g, std::size_t columns, int root, std::span<std::byte> data,
    std::size_t element_bytes, std::size_t segment,
    const std::function<void(flow column, std::span<std::byte> share)>& between) {
  flow row = row_of(f, g);
  const int node = g.node_of(f.pe());
  const blocks in_row(sizes_in_row(g, node, data.size(), element_bytes, columns), data);
  const auto mine = in_row.of(row.pe());
  const bool has_root = node == g.node_of(root);
  if (f.pe() == root) {
    for (int pe = 1; pe < row.pes(); ++pe) send_all(row, in_row.of(pe), pe, segment);
  } else if (has_root) {
    receive_all(row, mine, 0, segment);
  }
  in_own_column(f, g, columns, [&](const flow& column) { between(column, mine); });
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

void reduce_in_columns(
    flow& f, const node_grid& g, std::size_t columns, int root, std::span<const std::byte> mine,
    std::span<std::byte> sum, const combination_of_elements& how, std::size_t segment,
    const std::function<void(flow column, std::span<std::byte> share)>& between) {
  flow row = row_of(f, g);
  const int node = g.node_of(f.pe());
  const auto sizes = sizes_in_row(g, node, mine.size(), how.element_bytes, columns);
  const blocks in_row(sizes, sum);
  const bool is_root = f.pe() == root;
  const auto share =
      is_root ? in_row.of(row.pe()) : f.scratch(sizes[static_cast<std::size_t>(row.pe())]);
  combine_shares(row, sizes, columns, mine, share, how);
  in_own_column(f, g, columns, [&](const flow& column) { between(column, share); });
  if (!is_root) {
    if (node == g.node_of(root)) send_all(f, share, root, segment);
    return;
  }
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
  const auto sizes = sizes_in_row(g, g.node_of(f.pe()), sum.size(), how.element_bytes, columns);
  const blocks in_row(sizes, sum);
  const auto share = in_row.of(row.pe());
  combine_shares(row, sizes, columns, mine, columns == 1 ? sum : share, how);
  in_own_column(f, g, columns, [&](const flow& column) { between(column, share); });
  if (columns == 1) return broadcast_down(row, below_leader(row), sum, 0);
  pairwise_all_gather(row, in_row);
}

void reduce_scatter_in_columns(flow& f, const node_grid& g, const std::vector<std::size_t>& sizes,
                               std::span<const std::byte> from, std::span<std::byte> sum,
                               const combination_of_elements& how) {
  flow row = row_of(f, g);
  const int here = g.node_of(f.pe());
  // The blocks that a PE of the row combines lie side by side.
  const const_blocks given(sizes, from);
  const auto packed = f.scratch(from.size());
  std::vector<std::size_t> packed_sizes;
  std::size_t at = 0;
  std::vector<std::span<std::byte>> combined;  // for the PEs that the current PE reaches
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
