// The cores of the nodes of a simulated machine with fewer cores than PEs: the PEs that have cores,
// and the PEs that wait for cores.
//
// A PE keeps its core until the PE waits, or has had the core for a time slice while other PEs want
// a core. The PEs of a node get cores in the order of their requests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "substrate/node_layout.hpp"
#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

class shared_cores {
 public:
  // Cores for all PEs: no PE has to ask.
  shared_cores() = default;
  shared_cores(const node_layout& nodes, int cores_per_node)
      : per_node_(static_cast<std::size_t>(cores_per_node)),
        cores_(static_cast<std::size_t>(nodes.nodes()) * per_node_),
        queues_(static_cast<std::size_t>(nodes.nodes())),
        pes_(static_cast<std::size_t>(nodes.pes())) {
    for (int pe = 0; pe < nodes.pes(); ++pe) {
      pes_[static_cast<std::size_t>(pe)].node = static_cast<std::uint32_t>(nodes.node_of(pe));
    }
  }

  [[nodiscard]] bool are_shared() const { return per_node_ != 0; }
  [[nodiscard]] bool has_one(std::uint32_t pe) const { return pes_[pe].core != none; }
  // Returns the number of PEs that wait for a core.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  // Returns true if another PE of the node waits for a core, and `pe` has had its core for long.
  [[nodiscard]] bool is_to_give_way(std::uint32_t pe, moment now) const {
    return waiting_ != 0 && !queues_[pes_[pe].node].empty() && now - pes_[pe].since > slice;
  }

  // Returns the moment from which the PE has a core; nothing if the PE gets a core only when
  // another PE gives a core back.
  [[nodiscard]] std::optional<moment> ask(std::uint32_t pe, moment now) {
    const std::uint32_t node = pes_[pe].node;
    const auto first = cores_.begin() + static_cast<std::ptrdiff_t>(node * per_node_);
    const auto core = std::min_element(first, first + static_cast<std::ptrdiff_t>(per_node_));
    if (*core == never) {
      queues_[node].push_back(pe);
      ++waiting_;
      return std::nullopt;
    }
    return give(pe, static_cast<std::size_t>(core - cores_.begin()), std::max(now, *core));
  }

  // Returns the PE that has the core from now on, if a PE waits for a core.
  std::optional<std::uint32_t> give_back(std::uint32_t pe, moment now) {
    const std::size_t core = pes_[pe].core;
    pes_[pe].core = none;
    cores_[core] = now;
    std::deque<std::uint32_t>& queue = queues_[pes_[pe].node];
    if (queue.empty()) return std::nullopt;
    const std::uint32_t next = queue.front();
    queue.pop_front();
    --waiting_;
    give(next, core, now);
    return next;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr moment slice = 3'000'000'000;  // 3 ms: about what Linux lets a process have

  struct pe_of_node {
    std::size_t core = none;
    moment since = 0;
    std::uint32_t node = 0;
  };

  moment give(std::uint32_t pe, std::size_t core, moment now) {
    cores_[core] = never;
    pes_[pe].core = core;
    pes_[pe].since = now;
    return now;
  }

  std::size_t per_node_ = 0;
  std::vector<moment> cores_;  // the moment when a core is free; `never` if a PE has the core
  std::vector<std::deque<std::uint32_t>> queues_;  // of the nodes
  std::vector<pe_of_node> pes_;
  std::size_t waiting_ = 0;
};

}  // namespace boxcar::detail
