// Detects PEs of a node that start different collectives under the same number; without the ledger
// each of the PEs would wait forever. Each PE writes its own entry and then reads the entries of
// its two neighbours in a circle. Where not all entries are alike two neighbours differ, and the
// later of the two sees the difference.
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
  std::uint32_t hash = 0;  // of all arguments that must be equal on all PEs
  collective_operation kind = collective_operation::barrier;
  int root = 0;
  std::uint64_t bytes = 0;
};

class call_ledger {
 public:
  // Collective.
  explicit call_ledger(const world& w);

  // Local. Records a start. Returns a message if a neighbour has started another collective under
  // the number; empty if there is no difference or the neighbour's entry is not available: the
  // neighbour may be behind, or far ahead.
  [[nodiscard]] std::string note(const ledger_entry& mine);

 private:
  // All accesses are atomic. Accesses to `stamp` are sequentially consistent: if two PEs each write
  // their own entry and then read the other PE's entry, at least one PE sees the other PE's entry.
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
