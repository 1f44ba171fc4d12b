// The common state of the PEs of one world of a simulated machine.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "substrate/collective_call.hpp"
#include "substrate/node_layout.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

// The contribution of a PE to a collective, and the results for the PE.
struct visit {
  collective_call call;
  std::span<std::byte> data;
  bool is_result = false;         // `data` may be changed
  void* more = nullptr;           // of a type known to the collective; not in the program's memory
  std::shared_ptr<void> shared;   // for the PE to keep
  std::exception_ptr problem;     // to be thrown on the PE
  std::uint64_t fingerprint = 0;  // of the call
};

struct team {
  team(rank_list ranks, node_layout nodes, std::uint64_t number)
      : members(std::move(ranks)),
        layout(std::move(nodes)),
        identity(number),
        visits(static_cast<std::size_t>(members.size())),
        first_ready(static_cast<std::size_t>(members.size())) {
    for (int node = 0; node < layout.nodes(); ++node) {
      largest_node = std::max(largest_node, layout.local_size(node));
    }
  }

  rank_list members;  // ranks in the job
  node_layout layout;
  int largest_node = 0;
  std::uint64_t identity;
  std::vector<visit*> visits;                           // by rank; of the PEs that have come
  std::vector<std::atomic<std::uint64_t>> first_ready;  // by rank: substrate::first_ready
  int arrived = 0;
  std::uint32_t rounds = 0;  // finished collectives
  moment latest = 0;         // when the last PE came
  moment over_at = 0;        // when the last round was over
  int gone = -1;             // the first PE that has left
  bool is_broken = false;    // a PE has thrown in a collective: its contribution is gone
};

}  // namespace boxcar::detail
