// A butterfly over any number of PEs: as many as a power of two take part, and each of the first of
// these stands for its neighbour, too. Those of a round stand for PEs that are neighbours: so what
// is combined is combined in order. Pure.
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
  // The PE that stands for this one, or for which this one stands.
  [[nodiscard]] bool has_neighbour() const { return pe_ < 2 * pairs_; }
  [[nodiscard]] int neighbour() const { return pe_ ^ 1; }

  struct round {
    int partner = 0;
    tree::run mine;    // the PEs of which this one knows by now
    tree::run theirs;  // and its partner
  };
  // Of a member.
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
  // The first PE for which a member stands.
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
