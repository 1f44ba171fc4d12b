#include "support/graph/validation.hpp"

namespace examples::graph {

validation::validation(boxcar::world& w, const cyclic_distribution& d, std::span<const edge> edges)
    : world_(w),
      distribution_(d),
      edges_(deal_out(w, d, edges, direction::both_ways)),
      to_parents_(w, [this](const child& c) { children_[c.parent].push_back(c.vertex); }),
      to_children_(w,
                   [this](std::uint32_t place) {
                     if (states_[place].is_below_root) return;
                     states_[place].is_below_root = true;
                     for (const address a : children_[place]) to_children_.send(a.place, a.pe);
                   }),
      to_ends_(w, [this](const arriving_edge& e) { arrive(e); }) {}

verdict validation::validate(const search_tree& tree, vertex root, bool unit_weights) {
  const address first = distribution_.address_of(root);
  tree_ = &tree;
  verdict_ = {};
  states_.assign(distribution_.count(), {});
  children_.assign(distribution_.count(), {});
  send_children();
  mark_below(first);
  send_edges(unit_weights);
  check_vertices(first);
  world_.reduce(std::span(verdict_.broken));
  verdict_.edges = world_.reduce(verdict_.edges) / 2;
  return verdict_;
}

// Collective. Each vertex tells its parent, if that is a vertex.
void validation::send_children() {
  const boxcar::session s = to_parents_.begin(boxcar::staged(1));
  for (std::uint32_t place = 0; place < distribution_.count(); ++place) {
    const address parent = tree_->parent[place];
    if (!distribution_.has(parent)) continue;
    to_parents_.send({parent.place, {place, world_.rank()}}, parent.pe);
  }
  to_parents_.done();
  to_parents_.finish();
}

// Collective. Goes from the root to children and their children. The handler sends, so that the
// session ends by quiescence.
void validation::mark_below(address root) {
  const boxcar::session s = to_children_.begin(boxcar::quiescence());
  if (root.pe == world_.rank()) to_children_.send(root.place, root.pe);
  to_children_.finish();
}

// Collective. Sends the distances of vertices of the tree along all edges.
void validation::send_edges(bool unit_weights) {
  const boxcar::session s = to_ends_.begin(boxcar::staged(1));
  for (const half_edge& e : edges_) {
    if (!tree_->has(e.from)) continue;
    const address from{e.from, world_.rank()};
    verdict_.edges += e.to == from ? 2 : 1;
    const float weight = unit_weights ? 1 : e.weight;
    to_ends_.send({e.to.place, from, tree_->distance[e.from], weight}, e.to.pe);
  }
  to_ends_.done();
  to_ends_.finish();
}

// Comparisons are such that a distance that is not a number breaks a rule.
void validation::arrive(const arriving_edge& e) {
  if (!tree_->has(e.to)) {
    ++verdict_.broken[3];
    return;
  }
  const float distance = tree_->distance[e.to];
  if (!(distance <= e.distance + e.weight)) ++verdict_.broken[2];
  if (tree_->parent[e.to] != e.from) return;
  states_[e.to].has_edge_to_parent = true;
  if (distance == e.distance + e.weight) states_[e.to].has_right_distance = true;
}

void validation::check_vertices(address root) {
  for (std::uint32_t place = 0; place < distribution_.count(); ++place) {
    const vertex_state& s = states_[place];
    const float distance = tree_->distance[place];
    if (address{place, world_.rank()} == root) {
      if (tree_->parent[place] != root) ++verdict_.broken[0];
      if (distance != 0) ++verdict_.broken[1];
    } else if (!tree_->has(place)) {
      if (distance != unreached) ++verdict_.broken[1];
    } else {
      if (!s.is_below_root) ++verdict_.broken[0];
      if (!s.has_edge_to_parent) {
        ++verdict_.broken[4];
      } else if (!s.has_right_distance) {
        ++verdict_.broken[1];
      }
    }
  }
}

}  // namespace examples::graph
