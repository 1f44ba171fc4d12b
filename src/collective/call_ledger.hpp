// Which collectives the PEs of a node have started, by their number: those that start different
// ones under the same number find that out, where each would wait for ever for the other. Each PE
// writes down its own and then looks at what its two neighbours, in a circle, have written: where
// not all are alike two neighbours differ, and the later of these sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/detail/collective_operation.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

struct ledger_entry {
  std::uint32_t hash = 0;  // of all that must be alike
  collective_operation kind = collective_operation::barrier;
  int root = 0;
  std::uint64_t bytes = 0;
};

class call_ledger {
 public:
  // Collective.
  explicit call_ledger(const world& w);

  // Local. What a neighbour has started instead, as a message; empty if that is not known: it may
  // not have come as far yet, or be far ahead.
  [[nodiscard]] std::string note(const ledger_entry& mine);

 private:
  // Written and read by atomic operations. Those on stamps are sequentially consistent: of two PEs
  // that each write their own and then read the other's one sees the other's.
  struct page {
    alignas(32) std::uint64_t stamp;  // number and hash
    std::uint64_t bytes;
    std::uint32_t kind;
    int root;
  };
  static constexpr std::size_t pages = 512;
  struct neighbour {
    int pe;
    page* book;
  };

  [[nodiscard]] std::string text_of(const ledger_entry& mine, int pe,
                                    const ledger_entry& others) const;

  int pe_;
  window<page> book_;
  std::vector<neighbour> neighbours_;
  std::uint32_t number_ = 0;
};

}  // namespace boxcar::detail
