// A butterfly (recursive doubling) over any number of PEs. The number of members is the largest
// power of two up to the number of PEs; each of the first members also represents its neighbour.
// The partners of a round represent adjacent ranges of PEs, hence values are combined in the order
// of the PEs. Pure.
#pragma once

#include <bit>
#include <vector>

#include "collective/tree.hpp"

namespace boxcar::detail {

class butterfly {
 public:
  butterfly(int pe, int pes)
      : pe_(pe), members_(static_cast<int>(std::bit_floor(static_cast<unsigned>(pes)))) {
    pairs_ = pes - members_;
  }

  [[nodiscard]] bool is_member() const { return pe_ >= 2 * pairs_ || pe_ % 2 == 0; }
  // The neighbour is the PE that represents the given PE, or that the given PE represents.
  [[nodiscard]] bool has_neighbour() const { return pe_ < 2 * pairs_; }
  [[nodiscard]] int neighbour() const { return pe_ ^ 1; }

  struct round {
    int partner = 0;
    tree::run mine;    // the PEs whose data the PE has before the round
    tree::run theirs;  // the PEs whose data the partner has
  };
  // Precondition: is_member().
  [[nodiscard]] std::vector<round> rounds() const {
    std::vector<round> all;
    const int me = pe_ < 2 * pairs_ ? pe_ / 2 : pe_ - pairs_;
    for (int distance = 1; distance < members_; distance *= 2) {
      const int other = me ^ distance;
      all.push_back({first_of(other), group(me, distance), group(other, distance)});
    }
    return all;
  }

 private:
  // Returns the first PE that a member represents.
  [[nodiscard]] int first_of(int member) const {
    return member < pairs_ ? 2 * member : member + pairs_;
  }
  [[nodiscard]] tree::run group(int member, int members) const {
    const int first = member / members * members;
    return {first_of(first), first_of(first + members)};
  }

  int pe_;
  int members_;
  int pairs_;
};

}  // namespace boxcar::detail
