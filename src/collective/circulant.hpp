// The circulant graph, over which n pieces are broadcast among any number of PEs, or backwards
// reduced, in as few rounds as can be, n - 1 + q for q = log2 of the PEs, rounded up. In a round
// each PE sends one piece, over the distance of the round, and receives one; after q rounds, a
// phase, the distances begin again. (Traeff and Ripke, Optimal Broadcast for Fully Connected
// Processor-Node Networks, 2008; Traeff, Round-optimal n-Block Broadcast Schedules in Logarithmic
// Time, 2023.) PE 0 is the root. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace boxcar::detail {

class circulant {
 public:
  explicit circulant(int pes);

  // Rounds of a phase: 0 of one PE.
  [[nodiscard]] int phase() const { return static_cast<int>(distances_.size()) - 1; }
  [[nodiscard]] int distance(int k) const {
    return static_cast<int>(distances_[static_cast<std::size_t>(k)]);
  }

  // In a phase the root sends q new pieces, 0 to q - 1, one in each round. The one that this PE
  // gets in the same phase; the root's is q, which is none.
  [[nodiscard]] int own_piece(int pe) const;
  // What a PE gets in the rounds of a phase, unless it is the root: its own piece, and those of the
  // phase before that it does not have, of -q to -1. In the next phase these are q more. It takes
  // about 2 q steps.
  [[nodiscard]] std::vector<int> received_by(int pe) const;
  // What it sends, unless to the root: what is received at the other end. A PE has that from an
  // earlier round of the phase, or it was its own piece in the phase before. O(q^2): less code than
  // the O(q) of the paper.
  [[nodiscard]] std::vector<int> sent_by(int pe) const;

  struct round {
    int distance = 0;
    std::optional<std::size_t> sent = {};
    std::optional<std::size_t> received = {};
  };
  // All n - 1 + q rounds of a PE, which receives every piece once. None if there is no piece, or
  // one PE.
  [[nodiscard]] std::vector<round> rounds(int pe, std::size_t pieces) const;

 private:
  [[nodiscard]] int pe_behind(int pe, int k) const;

  // From 1 on, each half of the next, rounded up; the last is the number of PEs.
  std::vector<std::int64_t> distances_;
};

}  // namespace boxcar::detail
