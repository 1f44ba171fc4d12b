#include "collective/plan.hpp"

#include <algorithm>
#include <span>

#include "collective/blocks.hpp"
#include "collective/circulant.hpp"
#include "collective/exchange_flows.hpp"
#include "collective/node_flows.hpp"
#include "collective/tree_flows.hpp"

namespace boxcar::detail {
namespace {

class plan {
 public:
  plan(flow& f, const collective_request& call, const collective_way& way,
       const std::vector<int>& nodes)
      : f_(f), call_(call), way_(way), nodes_(nodes) {}

  void lay() {
    switch (call_.kind) {
      case collective_operation::barrier:
        return lay_barrier();
      case collective_operation::broadcast:
        return lay_broadcast();
      case collective_operation::reduce:
        return lay_reduce();
      case collective_operation::all_reduce:
        return lay_all_reduce();
      case collective_operation::scatter:
        return scatter_down(f_, tree_from(call_.root), call_.in, call_.sizes, call_.out, segment());
      case collective_operation::gather:
        return gather_up(f_, tree_from(call_.root), call_.in, call_.sizes, call_.out, segment());
      case collective_operation::all_gather:
        return lay_all_gather();
      case collective_operation::all_to_all:
        return lay_all_to_all();
      case collective_operation::neighbor_all_to_all:
        return neighbor_all_to_all(f_, call_.to, const_blocks(call_.sizes, call_.in), call_.from,
                                   blocks(call_.arriving, call_.out));
      case collective_operation::reduce_scatter:
        return lay_reduce_scatter();
      case collective_operation::scan:
        return lay_scan();
      case collective_operation::exclusive_scan:
        return lay_exclusive_scan();
    }
  }

 private:
  [[nodiscard]] bool is(topology t) const { return way_.over == t; }
  // Returns a segment size of whole elements.
  [[nodiscard]] std::size_t segment() const {
    const std::size_t element = call_.how.element_bytes;
    if (way_.segment_bytes == 0) return 0;
    return std::max(way_.segment_bytes / element, std::size_t{1}) * element;
  }
  [[nodiscard]] tree tree_in(std::vector<int> order, bool by_node) const {
    const tree_shape shape = is(topology::k_nomial_tree) ? tree_shape::k_nomial : tree_shape::k_ary;
    const int k = is(topology::chain) ? 1 : way_.fan_out;
    return {shape, k, std::move(order), by_node ? nodes_ : std::vector<int>{}};
  }
  [[nodiscard]] tree tree_from(int root) const {
    return tree_in(way_.by_node ? order_by_node(root, nodes_) : order_from(root, f_.pes()),
                   way_.by_node);
  }
  // The tree has the PEs in ascending order.
  [[nodiscard]] tree ordered_tree() const { return tree_in(order_from(0, f_.pes()), way_.by_node); }
  [[nodiscard]] bool any_order() const { return call_.how.numbers.has_value(); }
  [[nodiscard]] tree reducing_tree(int root) const {
    return any_order() ? tree_from(root) : ordered_tree();
  }

  void lay_barrier() {
    if (is_tree(way_.over)) return tree_barrier(f_, tree_from(0));
    if (!way_.by_node) return barrier_among(f_);
    barrier_by_leaders(f_, node_grid(nodes_), [this](flow leaders) { barrier_among(leaders); });
  }
  void barrier_among(flow& f) const {
    if (is(topology::pairwise)) return pairwise_barrier(f);
    if (is(topology::dissemination)) return disseminating_barrier(f, way_.fan_out);
    butterfly_barrier(f);
  }

  // Precondition: each PE's block is in its place.
  void exchange_blocks(flow& f, const blocks& all) const {
    if (is(topology::ring)) return ring_all_gather(f, all);
    if (is(topology::dissemination)) return disseminating_all_gather(f, way_.fan_out, all);
    if (is(topology::butterfly)) return butterfly_all_gather(f, all);
    pairwise_all_gather(f, all);
  }

  // Returns the size of each PE's share.
  [[nodiscard]] std::vector<std::size_t> shares(std::size_t bytes, int pes) const {
    return equal_shares(bytes / call_.how.element_bytes, call_.how.element_bytes, pes);
  }

  void lay_broadcast() {
    if (is_tree(way_.over)) {
      return broadcast_down(f_, tree_from(call_.root), call_.out, segment());
    }
    if (!way_.by_node) return broadcast_among(f_, call_.root, call_.out);
    const node_grid g(nodes_, call_.root);
    broadcast_in_columns(f_, g, way_.columns, call_.root, call_.out, call_.how.element_bytes,
                         segment(), [&](flow column, std::span<std::byte> share) {
                           broadcast_among(column, g.node_of(call_.root), share);
                         });
  }
  void broadcast_among(flow& f, int root, std::span<std::byte> data) const {
    if (is(topology::circulant)) return circulant_broadcast(f, root, data, segment());
    // The root scatters shares, and all PEs gather all shares.
    const tree t(tree_shape::k_nomial, 2, order_from(root, f.pes()));
    const auto sizes = shares(data.size(), f.pes());
    scatter_in_place(f, t, sizes, data, 0);
    exchange_blocks(f, blocks(sizes, data));
  }

  void lay_reduce() {
    if (is_tree(way_.over)) return reduce_along_tree();
    const bool is_root = f_.pe() == call_.root;
    if (!way_.by_node) {
      const auto sum = is_root ? call_.out : f_.scratch(call_.in.size());
      f_.copy(call_.in, sum);
      return reduce_among(f_, call_.root, sum);
    }
    const node_grid g(nodes_, any_order() ? call_.root : 0);
    reduce_in_columns(f_, g, way_.columns, call_.root, call_.in, call_.out, call_.how, segment(),
                      [&](flow column, std::span<std::byte> share) {
                        reduce_among(column, g.node_of(call_.root), share);
                      });
  }
  void reduce_among(flow& f, int root, std::span<std::byte> sum) const {
    if (is(topology::circulant)) return circulant_reduce(f, root, sum, call_.how, segment());
    pairwise_reduce(f, root, shares(sum.size(), f.pes()), sum, call_.how);
  }
  void reduce_along_tree() {
    const bool is_root = f_.pe() == call_.root;
    if (any_order() || call_.root == 0) {
      return reduce_up(f_, reducing_tree(call_.root), call_.in,
                       is_root ? call_.out : std::span<std::byte>(), call_.how, segment());
    }
    // PE 0 gets the ordered result, and sends it to the root.
    const std::span<std::byte> sum =
        f_.pe() == 0 ? f_.scratch(call_.in.size()) : std::span<std::byte>();
    reduce_up(f_, ordered_tree(), call_.in, sum, call_.how, segment());
    send_all(f_, sum, call_.root, segment());
    if (is_root) receive_all(f_, call_.out, 0, segment());
  }

  void lay_all_reduce() {
    if (is_tree(way_.over)) {
      const tree t = reducing_tree(0);
      reduce_up(f_, t, call_.in, call_.out, call_.how, segment());
      return broadcast_down(f_, t, call_.out, segment());
    }
    if (!way_.by_node) return all_reduce_among(f_, call_.in, call_.out);
    all_reduce_in_columns(f_, node_grid(nodes_), way_.columns, call_.in, call_.out, call_.how,
                          [this](flow column, std::span<std::byte> share) {
                            all_reduce_among(column, share, share);
                          });
  }
  void all_reduce_among(flow& f, std::span<const std::byte> mine, std::span<std::byte> sum) const {
    if (is(topology::dissemination)) {
      return call_.how.is_exact() ? disseminating_all_reduce(f, mine, sum, call_.how)
                                  : gathering_all_reduce(f, way_.fan_out, mine, sum, call_.how);
    }
    if (is(topology::butterfly)) {
      f.copy(mine, sum);
      return butterfly_all_reduce(f, sum, call_.how);
    }
    const auto sizes = shares(sum.size(), f.pes());
    const blocks all(sizes, sum);
    pairwise_reduce_scatter(f, const_blocks(sizes, mine), all.of(f.pe()), call_.how);
    exchange_blocks(f, all);
  }

  void lay_all_gather() {
    if (is_tree(way_.over)) {
      const tree t = tree_from(0);
      gather_up(f_, t, call_.in, call_.sizes, call_.out, segment());
      return broadcast_down(f_, t, call_.out, segment());
    }
    const blocks all(call_.sizes, call_.out);
    f_.copy(call_.in, all.of(f_.pe()));
    if (!way_.by_node) return exchange_blocks(f_, all);
    const node_grid g(nodes_);
    if (is(topology::pairwise)) return all_gather_in_columns(f_, g, all);
    all_gather_by_leaders(
        f_, g, call_.sizes, call_.out,
        [this](flow leaders, const blocks& of_nodes) { exchange_blocks(leaders, of_nodes); });
  }

  // Returns the PE's input, unchanged also after writes to `out`.
  [[nodiscard]] std::span<const std::byte> kept_in() {
    if (!call_.is_in_place()) return call_.in;
    const auto kept = f_.scratch(call_.in.size());
    f_.copy(call_.in, kept);
    return kept;
  }

  void lay_all_to_all() {
    if (is(topology::grid)) {
      return grid_all_to_all(f_, node_grid(nodes_), const_blocks(call_.sizes, kept_in()),
                             blocks(call_.arriving, call_.out));
    }
    pairwise_all_to_all(f_, const_blocks(call_.sizes, kept_in()),
                        blocks(call_.arriving, call_.out));
  }

  void lay_reduce_scatter() {
    if (is(topology::pairwise)) {
      if (way_.by_node) {
        return reduce_scatter_in_columns(f_, node_grid(nodes_), call_.sizes, call_.in, call_.out,
                                         call_.how);
      }
      return pairwise_reduce_scatter(f_, const_blocks(call_.sizes, call_.in), call_.out, call_.how);
    }
    const tree t = reducing_tree(0);
    const std::span<std::byte> sum =
        f_.pe() == 0 ? f_.scratch(call_.in.size()) : std::span<std::byte>();
    reduce_up(f_, t, call_.in, sum, call_.how, segment());
    scatter_down(f_, t, sum, call_.sizes, call_.out, segment());
  }

  // Returns a row for each node, or a single row of all PEs.
  [[nodiscard]] node_grid scanned_rows() const {
    return node_grid(way_.by_node ? nodes_ : std::vector<int>(nodes_.size(), 0));
  }

  void lay_scan() {
    f_.copy(call_.in, call_.out);
    if (is(topology::chain)) return chain_scan(f_, call_.out, call_.how, segment());
    disseminating_scan(f_, scanned_rows(), call_.out, call_.how);
  }

  void lay_exclusive_scan() {
    const std::span<const std::byte> mine = kept_in();
    if (f_.pe() == 0) {
      const auto first =
          call_.first_block.empty() ? f_.scratch(call_.out.size()) : call_.first_block;
      repeat(call_.first, first);
      f_.copy(first, call_.out);
    }
    if (is(topology::chain)) {
      return exclusive_chain_scan(f_, mine, call_.out, call_.how, segment());
    }
    exclusive_disseminating_scan(f_, scanned_rows(), mine, call_.out, call_.how);
  }

  flow& f_;
  const collective_request& call_;
  const collective_way& way_;
  const std::vector<int>& nodes_;
};

}  // namespace

void lay(flow& f, const collective_request& call, const collective_way& way,
         const std::vector<int>& nodes) {
  plan(f, call, way, nodes).lay();
}

}  // namespace boxcar::detail
