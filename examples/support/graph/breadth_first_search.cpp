#include "support/graph/breadth_first_search.hpp"

#include <utility>

namespace examples::graph {

breadth_first_search::breadth_first_search(boxcar::world& w, const graph_share& g)
    : world_(w),
      graph_(g),
      tree_(g.distribution().count()),
      visits_(w, [this](const visit& v) { arrive(v); }) {}

const search_tree& breadth_first_search::run(vertex root) {
  tree_ = search_tree(graph_.distribution().count());
  level_ = 0;
  reached_.clear();
  const address first = graph_.distribution().address_of(root);
  if (first.pe == world_.rank()) arrive({first.place, first});
  while (world_.reduce(reached_.size()) != 0) {
    ++level_;
    leave(std::exchange(reached_, {}));
  }
  return tree_;
}

void breadth_first_search::arrive(const visit& v) {
  if (tree_.shorten(v.place, level_, v.from)) reached_.push_back(v.place);
}

// Sends visits to all neighbours. Neighbours on the same PE need no message.
void breadth_first_search::leave(const std::vector<std::uint32_t>& places) {
  const boxcar::session level = visits_.begin(boxcar::staged(1));
  for (const std::uint32_t place : places) {
    const address from{place, world_.rank()};
    for (const address to : graph_.targets(place)) {
      if (to.pe == from.pe) {
        arrive({to.place, from});
      } else {
        visits_.send({to.place, from}, to.pe);
      }
    }
  }
  visits_.done();
  visits_.finish();
}

}  // namespace examples::graph
