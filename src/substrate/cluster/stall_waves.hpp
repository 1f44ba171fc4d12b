// Finds out whether PEs of several nodes can never go on. PE 0, when nothing has moved there for
// long, asks all PEs in waves along the tree of the collectives; each adds what its part of the
// tree has to say, and tells PEs that are alike as one group. A PE that computes does not answer,
// and neither does who is asked through it: after a while it is answered for without them. If two
// waves, one after the other, find the same PEs stuck, none of which has got on in between, they
// will never go on.
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

  // `tell` sends to a neighbour in the tree, some time later.
  stall_waves(int rank, int size, std::function<void(int pe, message)> tell);

  // What a neighbour has sent.
  void hear(int from, std::span<const std::byte> m, clock::time_point now);

  // How it is with this PE.
  struct own_state {
    const pe_report* overdue;  // if it has waited for all of the time that is allowed
    std::uint64_t rounds;      // how often it has polled in vain
    std::uint64_t moves;       // how often it has got on
    std::chrono::nanoseconds allowed;
  };
  // To be called again and again while this PE waits. Returns what is wrong once it is certain, at
  // PE 0.
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
  std::uint64_t rounds_before_ = 0;  // of this PE, when it answered last
  // At PE 0.
  std::uint64_t moves_seen_ = 0;
  clock::time_point quiet_since_{};
  clock::time_point next_wave_{};
  finding found_before_;
};

}  // namespace boxcar::detail
