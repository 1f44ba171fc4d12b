#include "collective/call_ledger.hpp"

#include <atomic>
#include <initializer_list>

#include "collective/request.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

using std::atomic_ref;

// Returns a text like "all_reduce_async of 8 bytes".
std::string describe(const ledger_entry& e) {
  std::string text =
      std::string(name_of_start(e.kind)) + " of " + std::to_string(e.bytes) + " bytes";
  if (has_root(e.kind)) text += " with root " + std::to_string(e.root);
  return text;
}

}  // namespace

call_ledger::call_ledger(const world& w) : pe_(w.rank()), book_(w, pages) {
  const node_layout& layout = w.substrate()->layout();
  const int here = w.local_size();
  for (const int step : {1, here - 1}) {
    const int pe = layout.pe_at(w.node(), (w.local_rank() + step) % here);
    const bool is_known = pe == w.rank() || (!neighbours_.empty() && neighbours_[0].pe == pe);
    if (!is_known) neighbours_.push_back({pe, book_.direct(pe).data()});
  }
}

std::string call_ledger::note(const ledger_entry& mine) {
  const std::size_t at = ++number_ % pages;
  const std::uint64_t stamp = std::uint64_t{number_} << 32 | mine.hash;
  page& own = book_.local()[at];
  atomic_ref(own.kind).store(static_cast<std::uint32_t>(mine.kind), std::memory_order_relaxed);
  atomic_ref(own.root).store(mine.root, std::memory_order_relaxed);
  atomic_ref(own.bytes).store(mine.bytes, std::memory_order_relaxed);
  atomic_ref(own.stamp).store(stamp, std::memory_order_seq_cst);
  for (const neighbour& n : neighbours_) {
    page& its = n.book[at];
    const std::uint64_t its_stamp = atomic_ref(its.stamp).load(std::memory_order_seq_cst);
    if (its_stamp >> 32 != number_ || its_stamp == stamp) continue;
    const ledger_entry its_entry{.kind = static_cast<collective_operation>(
                                     atomic_ref(its.kind).load(std::memory_order_relaxed)),
                                 .root = atomic_ref(its.root).load(std::memory_order_relaxed),
                                 .bytes = atomic_ref(its.bytes).load(std::memory_order_relaxed)};
    return text_of(mine, n.pe, its_entry);
  }
  return {};
}

std::string call_ledger::text_of(const ledger_entry& mine, int pe,
                                 const ledger_entry& others) const {
  const std::string own = describe(mine);
  const std::string its = describe(others);
  return "the PEs started different collectives: PE " + std::to_string(pe_) + " " + own + ", PE " +
         std::to_string(pe) + " " + its +
         (own == its ? ", of another type or with other options" : "") +
         "; every PE must start the same ones in the same order";
}

}  // namespace boxcar::detail
