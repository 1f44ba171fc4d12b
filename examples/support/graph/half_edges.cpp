#include "support/graph/half_edges.hpp"

#include <boxcar/stream.hpp>

namespace examples::graph {

std::vector<half_edge> deal_out(const boxcar::world& w, const cyclic_distribution& d,
                                std::span<const edge> edges, direction ways) {
  std::vector<half_edge> mine;
  boxcar::stream<half_edge> to_owners(w, [&](const half_edge& e) { mine.push_back(e); });
  const boxcar::session s = to_owners.begin(boxcar::staged(1));
  for (const edge& e : edges) {
    const address from = d.address_of(e.from);
    const address to = d.address_of(e.to);
    to_owners.send({from.place, to, e.weight}, from.pe);
    if (ways == direction::one_way || e.from == e.to) continue;
    to_owners.send({to.place, from, e.weight}, to.pe);
  }
  to_owners.done();
  to_owners.finish();
  return mine;
}

}  // namespace examples::graph
