#include "support/nbody/domain.hpp"

#include <algorithm>
#include <utility>

#include <boxcar/boxcar.hpp>

namespace examples::nbody {
namespace {

using keys = std::vector<std::uint64_t>;

struct neighborhood {
  keys before;
  keys after;
};
// Collective. Returns the last keys of earlier PEs, and the first keys of the PE and of later PEs:
// `max_leaf_size + 1` of each PE at most.
neighborhood neighborhood_of(boxcar::world& w, const std::vector<particle>& particles) {
  const std::size_t n = std::min(particles.size(), max_leaf_size + 1);
  keys first;
  keys last;
  for (std::size_t i = 0; i != n; ++i) {
    first.push_back(particles[i].key);
    last.push_back(particles[particles.size() - n + i].key);
  }
  const std::vector<keys> all_first = w.all_gather(first);
  const std::vector<keys> all_last = w.all_gather(last);
  neighborhood found;
  for (int pe = 0; pe != w.size(); ++pe) {
    const auto number = static_cast<std::size_t>(pe);
    keys& side = pe < w.rank() ? found.before : found.after;
    const keys& more = pe < w.rank() ? all_last[number] : all_first[number];
    side.insert(side.end(), more.begin(), more.end());
  }
  return found;
}

// Collective. Returns the domains that begin with the leaves of the first particles of the PEs.
domains domains_of(boxcar::world& w, const std::vector<particle>& particles) {
  const auto [before, after] = neighborhood_of(w, particles);
  const std::uint64_t begin = after.empty() ? end_of_keys : leaf_around(before, after).first;
  keys bounds = w.all_gather(w.rank() == 0 ? 0 : begin);
  bounds.push_back(end_of_keys);
  return domains(std::move(bounds));
}

}  // namespace

int domains::owner_of(std::uint64_t key) const {
  const auto next = std::upper_bound(bounds_.begin(), bounds_.end(), key);
  return static_cast<int>(next - bounds_.begin()) - 1;
}

bool domains::are_divided(const cell_place& cell) const {
  return *std::upper_bound(bounds_.begin(), bounds_.end(), cell.first) < cell.end();
}

cell_place leaf_around(std::span<const std::uint64_t> before,
                       std::span<const std::uint64_t> after) {
  for (int level = 0;; ++level) {
    const cell_place cell = cell_of_key(after.front(), level);
    const auto begin = std::lower_bound(before.begin(), before.end(), cell.first);
    const auto end = std::lower_bound(after.begin(), after.end(), cell.end());
    const auto particles = (before.end() - begin) + (end - after.begin());
    if (static_cast<std::size_t>(particles) <= max_leaf_size || level == max_level) return cell;
  }
}

domains distribute(boxcar::world& w, std::vector<particle>& particles) {
  particles = boxcar::sorted(w, std::move(particles), comes_before);
  const domains all = domains_of(w, particles);
  std::vector<particle> kept;
  boxcar::exchange<particle>(
      w,
      [&](auto& out) {
        for (const particle& p : particles) out.push(p, all.owner_of(p.key));
      },
      [&](const particle& p) { kept.push_back(p); });
  std::sort(kept.begin(), kept.end(), comes_before);
  particles = std::move(kept);
  return all;
}

}  // namespace examples::nbody
