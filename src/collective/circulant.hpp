// The circulant graph. Broadcasts n pieces among any number of PEs, or reduces in reverse, in the
// minimal number of rounds, n - 1 + q for q = log2 of the number of PEs, rounded up. In a round
// each PE sends a piece over the distance of the round and receives a piece; after q rounds, a
// phase, the distances repeat. (Traeff and Ripke, Optimal Broadcast for Fully Connected
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

  // Returns the number q of rounds of a phase; 0 for a single PE.
  [[nodiscard]] int phase() const { return static_cast<int>(distances_.size()) - 1; }
  [[nodiscard]] int distance(int k) const {
    return static_cast<int>(distances_[static_cast<std::size_t>(k)]);
  }

  // Returns the piece that the PE receives in the phase in which the root sends it. In a phase the
  // root sends q new pieces, 0 to q - 1, in successive rounds. Returns q, which is no piece, for
  // the root.
  [[nodiscard]] int own_piece(int pe) const;
  // Returns the pieces that a PE other than the root receives in the rounds of a phase: its own
  // piece, and the pieces -q to -1 of the previous phase that the PE lacks. In the next phase q is
  // added to the numbers. Complexity: about 2 q steps.
  [[nodiscard]] std::vector<int> received_by(int pe) const;
  // Returns the pieces that the PE sends to receivers other than the root: the pieces that the
  // receivers expect. The PE has such a piece from an earlier round of the phase, or the piece was
  // its own piece in the previous phase. Complexity: O(q^2), with less code than the paper's O(q).
  [[nodiscard]] std::vector<int> sent_by(int pe) const;

  struct round {
    int distance = 0;
    std::optional<std::size_t> sent = {};
    std::optional<std::size_t> received = {};
  };
  // Returns all n - 1 + q rounds of a PE, which receives every piece once. Empty for 0 pieces or a
  // single PE.
  [[nodiscard]] std::vector<round> rounds(int pe, std::size_t pieces) const;

 private:
  [[nodiscard]] int pe_behind(int pe, int k) const;

  // The distances begin with 1; each is half of the next distance, rounded up; the last is the
  // number of PEs.
  std::vector<std::int64_t> distances_;
};

}  // namespace boxcar::detail
