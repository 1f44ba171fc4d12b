#include "support/graph/delta_stepping.hpp"

#include <limits>
#include <utility>

namespace examples::graph {
namespace {

constexpr std::size_t no_bucket = std::numeric_limits<std::size_t>::max();

}  // namespace

delta_stepping::delta_stepping(boxcar::world& w, const graph_share& g)
    : world_(w),
      graph_(g),
      tree_(g.distribution().count()),
      relaxations_(w, [this](const relaxation& r) { arrive(r); }) {}

const search_tree& delta_stepping::run(vertex root) {
  tree_ = search_tree(graph_.distribution().count());
  relaxed_at_.assign(graph_.distribution().count(), unreached);
  const address first = graph_.distribution().address_of(root);
  if (first.pe == world_.rank()) arrive({first.place, 0, first});
  for (std::size_t b = next_bucket(0); b != no_bucket;) {
    settled_.clear();
    std::size_t next = b;
    for (; next == b; next = next_bucket(b)) relax(take_bucket(b), kind::light);
    relax(settled_, kind::heavy);
    b = next_bucket(b);
  }
  return tree_;
}

// Collective. Returns the first bucket from `from` on that is not empty on all PEs, or no_bucket.
std::size_t delta_stepping::next_bucket(std::size_t from) {
  std::size_t mine = no_bucket;
  for (std::size_t b = from + buckets; b-- != from;) {
    if (!bucket(b).empty()) mine = b;
  }
  return world_.reduce(mine, boxcar::minimum());
}

// Takes the vertices out of a bucket whose light edges have to be relaxed. A vertex may be in the
// bucket several times, once for each path that was found, and in a later bucket for a longer path.
delta_stepping::places delta_stepping::take_bucket(std::size_t number) {
  places taken = std::exchange(bucket(number), {});
  std::erase_if(taken, [&](std::uint32_t place) {
    const float distance = tree_.distance[place];
    if (relaxed_at_[place] == distance) return true;
    if (relaxed_at_[place] == unreached) settled_.push_back(place);
    relaxed_at_[place] = distance;
    return false;
  });
  return taken;
}

void delta_stepping::arrive(const relaxation& r) {
  if (tree_.shorten(r.place, r.distance, r.from)) {
    bucket(bucket_of(r.distance)).push_back(r.place);
  }
}

// Collective. Sends what the edges of one kind give. Neighbours on the same PE need no message.
void delta_stepping::relax(const places& from, kind edges) {
  const boxcar::session phase = relaxations_.begin(boxcar::staged(1));
  for (const std::uint32_t place : from) {
    const address here{place, world_.rank()};
    const float distance = tree_.distance[place];
    const auto targets = graph_.targets(place);
    const auto weights = graph_.weights(place);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if ((weights[i] < delta) != (edges == kind::light)) continue;
      const relaxation r{targets[i].place, distance + weights[i], here};
      if (targets[i].pe == here.pe) {
        arrive(r);
      } else {
        relaxations_.send(r, targets[i].pe);
      }
    }
  }
  relaxations_.done();
  relaxations_.finish();
}

}  // namespace examples::graph
