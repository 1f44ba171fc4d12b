// Index-gather: an array is distributed over all PEs, and every PE needs the values at a list of
// random indices. Each index travels as a query to the PE of its element, and the value comes back.
// Two conveyors, one for queries and one for responses; index_gather_exchange.cpp does the same in
// one call.
//
//   boxcar run -n 4 -- index_gather        4 processes
//   BOXCAR_PES=4 index_gather --compare    4 threads; also item by item, without aggregation

#include <boxcar/boxcar.hpp>

#include "support/gather.hpp"
#include "support/progress.hpp"
#include "support/require.hpp"

namespace {

using number = std::uint64_t;

struct packet {
  number slot;   // where the asker stores the value
  number value;  // of a query: the index; of a response: the value
};

// The loop is Figure 4 of the conveyors paper. The conveyor of responses is not done before the
// conveyor of queries: until then there may be another query to answer.
std::vector<number> gather(boxcar::world& w, const std::vector<number>& array,
                           const std::vector<number>& index,
                           const boxcar::conveyor_options& options) {
  const auto pes = static_cast<number>(w.size());
  std::vector<number> gathered(index.size());
  boxcar::conveyor<packet> queries(w, options);
  boxcar::conveyor<packet> responses(w, options);
  const boxcar::session asking = queries.begin();
  const boxcar::session answering = responses.begin();
  examples::progress display(w, "index_gather", index.size());
  std::size_t i = 0;
  int from = 0;
  while (responses.advance(!queries.advance(i == index.size()))) {
    for (; i < index.size(); ++i) {
      if (!queries.push({i, index[i] / pes}, static_cast<int>(index[i] % pes))) break;
    }
    for (packet query; queries.pull(query, from);) {
      if (responses.push({query.slot, array[query.value]}, from)) continue;
      // No room now: the query is answered later.
      examples::require(queries.unpull(), "a query could not be put back");
      break;
    }
    for (packet response; responses.pull(response);) gathered[response.slot] = response.value;
    display.at(i);
  }
  return gathered;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_gather(argc, argv, gather, sizeof(packet));
}
