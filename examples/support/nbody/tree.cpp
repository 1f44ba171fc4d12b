#include "support/nbody/tree.hpp"

#include <algorithm>
#include <utility>

namespace examples::nbody {
namespace {

// Calls `f(child, part)` for each child of a cell that has particles, with the particles.
template <typename F>
void for_each_child(const cell_place& place, std::span<const particle> particles, const F& f) {
  auto begin = particles.begin();
  for (int octant = 0; octant != 8; ++octant) {
    const cell_place child = place.child(octant);
    const auto end = std::partition_point(
        begin, particles.end(), [&child](const particle& p) { return p.key < child.end(); });
    if (begin != end) f(child, std::span(begin, end));
    begin = end;
  }
}

}  // namespace

// The largest cell of particles of one PE: the root, or a child of a cell of several PEs.
struct tree::branch {
  cell_place place;
  cell found;
};

// Reads the branches of all PEs in the order of their keys.
class tree::branch_reader {
 public:
  explicit branch_reader(std::vector<std::vector<branch>> of_pes) : of_pes_(std::move(of_pes)) {}

  // Returns whether the next branch is the cell at a place.
  [[nodiscard]] bool is_at(const cell_place& place) {
    skip_ended();
    return pe_ != of_pes_.size() && of_pes_[pe_][next_].place == place;
  }
  // Precondition: there is a branch.
  [[nodiscard]] const cell& take() {
    skip_ended();
    return of_pes_[pe_][next_++].found;
  }

 private:
  void skip_ended() {
    for (; pe_ != of_pes_.size() && next_ == of_pes_[pe_].size(); ++pe_) next_ = 0;
  }

  std::vector<std::vector<branch>> of_pes_;
  std::size_t pe_ = 0;
  std::size_t next_ = 0;
};

tree::tree(const cube& space, std::span<const particle> all, const tree_options& options)
    : space_(space), options_(options), rank_(0) {
  const cell root = build({}, all);
  root_ = append(std::span(&root, 1));
}

tree::tree(boxcar::world& w, const domains& of_pes, const cube& space,
           std::span<const particle> mine, const tree_options& options)
    : space_(space), options_(options), rank_(w.rank()) {
  std::vector<branch> branches;
  find_branches(of_pes, {}, mine, branches);
  branch_reader all(w.all_gather(branches));
  const cell root = join_branches(of_pes, {}, all);
  root_ = append(std::span(&root, 1));
}

// Builds the branches of the PE in a cell. `particles` are the particles of the PE in the cell.
void tree::find_branches(const domains& of_pes, const cell_place& place,
                         std::span<const particle> particles, std::vector<branch>& found) {
  if (particles.empty()) return;
  if (of_pes.are_divided(place)) {
    for_each_child(place, particles, [&](const cell_place& child, auto part) {
      find_branches(of_pes, child, part, found);
    });
  } else {
    const cell c = build(place, particles);
    found.push_back({place, cells_[append(std::span(&c, 1))]});
  }
}

// Returns the cell at a place: a branch, or a cell of several PEs, with all of its children.
cell tree::join_branches(const domains& of_pes, const cell_place& place, branch_reader& branches) {
  if (!of_pes.are_divided(place)) {
    cell c = branches.take();
    if (c.owner != rank_) c.first = cell::absent;
    return c;
  }
  std::vector<cell> children;
  for (int octant = 0; octant != 8; ++octant) {
    const cell_place child = place.child(octant);
    if (of_pes.are_divided(child) || branches.is_at(child)) {
      children.push_back(join_branches(of_pes, child, branches));
    }
  }
  return make_inner(place, children);
}

// Returns the cell of particles of the PE, with all cells and bodies in the cell.
cell tree::build(const cell_place& place, std::span<const particle> particles) {
  if (particles.size() <= max_leaf_size || place.level == max_level) {
    return make_leaf(place, particles);
  }
  std::vector<cell> children;
  for_each_child(place, particles, [&](const cell_place& child, auto part) {
    children.push_back(build(child, part));
  });
  return make_inner(place, children);
}

cell tree::make_leaf(const cell_place& place, std::span<const particle> particles) {
  const std::size_t first = bodies_.size();
  for (const particle& p : particles) bodies_.push_back({p.position, options_.particle_mass});
  const std::span<const body> bodies = std::span(bodies_).subspan(first);
  cell leaf = make_cell(place, moments_of(bodies), first, bodies.size());
  leaf.is_leaf = true;
  // The moments of one body are exact, except at the body itself.
  if (bodies.size() == 1) leaf.opening_radius = 0;
  leaves_.push_back(leaf);
  return leaf;
}

cell tree::make_inner(const cell_place& place, std::span<const cell> children) {
  std::vector<moments> of_children;
  for (const cell& c : children) of_children.push_back(c.sum);
  return make_cell(place, moments_of(of_children), append(children), children.size());
}

cell tree::make_cell(const cell_place& place, const moments& sum, std::size_t first,
                     std::size_t size) const {
  return {.sum = sum,
          .opening_radius =
              space_.width(place) / options_.theta + length(sum.center - space_.center(place)),
          .owner = rank_,
          .first = static_cast<std::uint32_t>(first),
          .size = static_cast<std::uint32_t>(size)};
}

// Returns the index of the first appended cell.
std::uint32_t tree::append(std::span<const cell> cells) {
  const auto first = static_cast<std::uint32_t>(cells_.size());
  for (cell c : cells) {
    if (c.owner == rank_) c.at_owner = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back(c);
  }
  return first;
}

void tree::add_children(std::uint32_t index, std::span<const cell> children) {
  const std::uint32_t first = append(children);
  for (std::size_t i = 0; i != children.size(); ++i) cells_[first + i].first = cell::absent;
  cells_[index].size = static_cast<std::uint32_t>(children.size());
  cells_[index].first = first;
}

void tree::add_bodies(std::uint32_t index, std::span<const body> bodies) {
  cells_[index].size = static_cast<std::uint32_t>(bodies.size());
  cells_[index].first = static_cast<std::uint32_t>(bodies_.size());
  bodies_.insert(bodies_.end(), bodies.begin(), bodies.end());
}

}  // namespace examples::nbody
