// Programs that end only if a conveyor is steady (conveyors-2019, section 3.6): every item is
// delivered as long as all PEs keep calling advance and pull, also if some PEs push nothing more
// until the delivery. With a conveyor that is not steady they would hang. For use within a session.
#pragma once

#include <cstdint>

namespace boxcar::test {

// One item goes round; no PE pushes before its arrival. With two PEs this is ping-pong.
template <typename CheckedConveyor>
void send_one_item_round(CheckedConveyor& c, int rounds) {
  int arrived = 0;
  int to_forward = c.rank() == 0 ? 1 : 0;
  while (c.advance(arrived == rounds && to_forward == 0)) {
    if (to_forward > 0 && c.push((c.rank() + 1) % c.size())) --to_forward;
    while (c.pull()) {
      ++arrived;
      const bool chain_ends = c.rank() == 0 && arrived == rounds;
      if (!chain_ends) ++to_forward;
    }
  }
}

// All PEs have received everything before any PE declares the end.
template <typename CheckedConveyor>
void receive_all_before_the_endgame(CheckedConveyor& c) {
  constexpr int times = 7;
  const auto expected = static_cast<std::uint64_t>(times * c.size());
  int left = times * c.size();
  while (c.advance(left == 0 && c.pulled() == expected)) {
    while (left > 0 && c.push(left % c.size())) --left;
    while (c.pull()) {
    }
  }
}

}  // namespace boxcar::test
