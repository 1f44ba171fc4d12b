// The class stall_waves finds out whether PEs of several nodes can never go on. When nothing has
// moved at PE 0 for long, PE 0 queries all PEs in waves along the tree of the collectives. Each PE
// adds the reports of its subtree, and reports similar PEs as one group. A PE that computes does
// not answer, and neither do the PEs behind it: after a while the parent answers without them. If
// two successive waves find the same PEs stuck, and none of the PEs has made progress in between,
// the PEs will never go on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "substrate/cluster/tree.hpp"
#include "substrate/stall/deadlock.hpp"

namespace boxcar::detail {

class stall_waves {
 public:
  using clock = std::chrono::steady_clock;
  using message = std::vector<std::byte>;

  // The tree has the `size` PEs of a world, and this PE is `rank` there. PEs report by their
  // numbers in the job of `pes` PEs. `tell` sends a message to a neighbour in the tree, some time
  // later.
  stall_waves(int rank, int size, int pes, std::function<void(int pe, message)> tell);

  // Takes a message of the neighbour `from`.
  void hear(int from, std::span<const std::byte> m, clock::time_point now);

  // The state of this PE.
  struct own_state {
    const pe_report* overdue;  // set if the PE has waited for all of the allowed time
    std::uint64_t rounds;      // number of polls in vain
    std::uint64_t moves;       // number of steps of progress
    std::chrono::nanoseconds allowed;
  };
  // A waiting PE calls `look` again and again. Returns the description of a certain stall, at PE 0.
  std::optional<std::string> look(clock::time_point now, const own_state& mine);

 private:
  void begin_wave(std::uint64_t number, std::chrono::nanoseconds patience, clock::time_point now);
  void add_own(const own_state& mine);
  std::optional<std::string> judge();

  int pes_;
  tree_place place_;
  std::function<void(int, message)> tell_;
  std::uint64_t wave_ = 0;
  bool in_wave_ = false;
  std::size_t awaited_ = 0;  // children that have not answered in this wave
  clock::time_point deadline_{};
  std::vector<pe_group> groups_;
  std::uint64_t rounds_before_ = 0;  // `rounds` of this PE at its last answer
  // Members for PE 0 only.
  std::uint64_t moves_seen_ = 0;
  clock::time_point quiet_since_{};
  clock::time_point next_wave_{};
  finding found_before_;
};

}  // namespace boxcar::detail
