#include "collective/shared_collective.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include <boxcar/error.hpp>

#include "collective/blocks.hpp"
#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t header_lines = 3;

// Returns the number of slots of a PE, a power of two: a PE that only gives data may be ahead of
// the readers by as many runs. There are more slots for little data, as each wait for readers takes
// the time of many runs.
std::uint64_t slots_for(const collective_request& call) {
  constexpr std::size_t worth_keeping = 16'384;
  const std::size_t most = worth_keeping / std::max<std::size_t>(call.most_given, 1);
  const std::size_t least = call.most_given <= 4 * worth_keeping ? 4 : 2;
  return std::clamp<std::uint64_t>(std::bit_floor(most), least, 64);
}

// Returns after how many runs a reader releases their slots. Larger than 1 where there are many
// slots: the writer has room for the other runs, and the line of the reader's number travels
// between the cores seldom.
std::uint64_t runs_taken_at_once(std::uint64_t slots) {
  return std::max<std::uint64_t>(slots / 4, 1);
}

// Returns the sizes of the shares; empty if shares do not pay. Without shares each PE reads the
// data of all PEs; with shares a PE reads the data of two PEs, and waits twice.
std::vector<std::size_t> shares_for(const collective_request& call, int pes) {
  constexpr std::size_t worth_waiting = 4096;
  const std::size_t bytes = call.in.size();
  const bool is_worth_it = call.kind == collective_operation::all_reduce && pes > 2 &&
                           bytes * static_cast<std::size_t>(pes - 2) > worth_waiting;
  if (!is_worth_it) return {};
  return equal_shares(bytes / call.how.element_bytes, call.how.element_bytes, pes);
}

std::size_t lines_for(std::size_t bytes) {
  constexpr std::size_t line_bytes = 64;
  return (bytes + line_bytes - 1) / line_bytes;
}
std::size_t lines_for(const std::vector<std::size_t>& shares) {
  return shares.empty() ? 0 : lines_for(std::ranges::max(shares));
}

// Whether `pe` takes something from `other`.
bool takes(const collective_request& call, int pe, int other) {
  switch (call.kind) {
    case collective_operation::broadcast:
      return other == call.root && pe != call.root;
    case collective_operation::scatter:
      return other == call.root;
    case collective_operation::reduce:
    case collective_operation::gather:
      return pe == call.root;
    case collective_operation::scan:
      return other <= pe;
    case collective_operation::exclusive_scan:
      return other < pe;
    default:
      return true;
  }
}

}  // namespace

shared_collective::shared_collective(const world& w, collective_request call, collective_way way)
    : call_(std::move(call)),
      way_(std::move(way)),
      pe_(w.rank()),
      slots_(slots_for(call_)),
      taken_at_once_(runs_taken_at_once(slots_)),
      world_(*w.substrate()),
      rpc_(rpc_engine::of(world_)),
      shares_(shares_for(call_, w.size())) {
  share_lines(lines_for(call_.in.size()));
  for (int pe = 0; pe < w.size(); ++pe) {
    slot_lines_.push_back(slot_lines_of(pe));
    if (takes(call_, pe_, pe)) sources_.push_back({.pe = pe});
    if (takes(call_, pe, pe_)) readers_.push_back({.pe = pe});
  }
  const int last = w.size() - 1;
  all_take_from_all_ = takes(call_, 0, last) && takes(call_, last, 0);
  std::exclusive_scan(shares_.begin(), shares_.end(), std::back_inserter(share_starts_),
                      std::size_t{0});
  if (!call_.sizes.empty()) my_block_ = call_.start_of_block(pe_);
}

void shared_collective::share_lines(std::size_t lines_of_a_slot) {
  const std::size_t lines = header_lines + lines_for(shares_) + slots_ * lines_of_a_slot;
  const auto lines_at = [this](int pe) {
    return reinterpret_cast<line*>(memory_->block(world_.layout().local_rank(pe)));
  };
  agreement ready;
  parts_.resize(static_cast<std::size_t>(world_.size()));
  try {
    memory_ = world_.share_object_memory(lines * sizeof(line));
    parts_[static_cast<std::size_t>(pe_)] = lines_at(pe_);
    slot_lines_of(pe_) = lines_of_a_slot;
  } catch (const system_error& e) {
    ready.object(e.what());
  }
  if (const auto found = ready.reach(world_)) throw system_error(found->problem);
  memory_->seal();
  for (int pe = 0; pe < world_.size(); ++pe) parts_[static_cast<std::size_t>(pe)] = lines_at(pe);
}

std::uint64_t& shared_collective::slot_lines_of(int pe) const {
  std::byte* const beside = parts_[static_cast<std::size_t>(pe)]->bytes + sizeof(run_number);
  return *reinterpret_cast<std::uint64_t*>(beside);
}

std::atomic_ref<shared_collective::run_number> shared_collective::number(int pe,
                                                                         std::size_t which) const {
  return std::atomic_ref(
      *reinterpret_cast<run_number*>(parts_[static_cast<std::size_t>(pe)][which].bytes));
}

std::byte* shared_collective::given_by(int pe) const {
  const auto i = static_cast<std::size_t>(pe);
  return parts_[i][header_lines + (run_ & (slots_ - 1)) * slot_lines_[i]].bytes;
}

// --- Runs ----------------------------------------------------------------------------------------

void shared_collective::use(std::span<const std::byte> in, std::span<std::byte> out,
                            std::span<const std::byte> first) {
  call_.in = in;
  call_.out = out;
  std::ranges::copy(first, call_.first.begin());
}

void shared_collective::start() {
  require_free(world_, "start");
  if (!is_over_) throw_not_waited_for();
  ++run_;
  is_over_ = false;
  seen_ = freed_ = 0;
  runs.began();
  if (!call_.in.empty()) std::memcpy(given_by(pe_), call_.in.data(), call_.in.size());
  // Sequentially consistent because of `wake`.
  published(pe_).store(run_, std::memory_order_seq_cst);
  wake(readers_);
}

void shared_collective::wake(const std::vector<peer>& peers) {
  for (const peer& p : peers) {
    if (p.pe != pe_) world_.wake(p.pe);
  }
}

bool shared_collective::is_here() {
  for (; seen_ < sources_.size(); ++seen_) {
    peer& source = sources_[seen_];
    if (source.known >= run_) continue;
    source.known = published(source.pe).load(std::memory_order_acquire);
    if (source.known < run_) return false;
  }
  if (!shares_.empty()) return has_shares();
  return all_take_from_all_ || has_room();
}

bool shared_collective::has_shares() {
  const run_number pes = parts_.size();
  const run_number all = run_ * pes;  // of this run and all earlier runs
  run_number next = claimed().load(std::memory_order_relaxed);
  while (next < all) {
    if (!claimed().compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
    combine_share(static_cast<int>(next % pes));
    // Releases the share to PEs that see that all shares are combined. Sequentially consistent
    // because of `wake`.
    if (combined().fetch_add(1, std::memory_order_seq_cst) + 1 == all) wake(readers_);
    next = claimed().load(std::memory_order_relaxed);
  }
  return combined().load(std::memory_order_acquire) >= all;
}

// No PE reads the share of the previous run any more: all PEs have started this run.
void shared_collective::combine_share(int which) {
  combine_into(share_of(which), static_cast<int>(parts_.size()),
               share_starts_[static_cast<std::size_t>(which)], false);
}

// Returns whether the slot of the next run is free: the readers have taken the data of the earlier
// run.
bool shared_collective::has_room() {
  if (run_ + 1 <= slots_) return true;
  for (; freed_ < readers_.size(); ++freed_) {
    peer& reader = readers_[freed_];
    const run_number needed = run_ + 1 - slots_;
    if (reader.known >= needed) continue;
    reader.known = taken(reader.pe).load(std::memory_order_acquire);
    if (reader.known < needed) return false;
  }
  return true;
}

void shared_collective::finish() {
  take();
  is_over_ = true;
  runs.ended();
  if (all_take_from_all_ || run_ % taken_at_once_ != 0) return;
  // Sequentially consistent because of `wake`.
  taken(pe_).store(run_, std::memory_order_seq_cst);
  wake(sources_);
}

bool shared_collective::test() {
  require_free(world_, "test");
  if (is_over_) return true;
  if (!is_here() && !rpc_.test([this] { return is_here(); })) return false;
  finish();
  return true;
}

void shared_collective::wait() {
  require_free(world_, "wait");
  if (is_over_) return;
  const auto has_come = [this] { return is_here(); };
  if (!rpc_.sees(has_come)) {
    while (!is_here()) rpc_.idle();
  }
  rpc_.end_wait();
  finish();
}

// --- Taking --------------------------------------------------------------------------------------

void shared_collective::take() {
  const std::span<std::byte> out = call_.out;
  const auto copy = [this](int from, std::size_t at, std::span<std::byte> into) {
    if (!into.empty()) std::memcpy(into.data(), given_by(from) + at, into.size());
  };
  const int pes = static_cast<int>(parts_.size());
  switch (call_.kind) {
    case collective_operation::barrier:
    case collective_operation::neighbor_all_to_all:  // never executed by a shared_collective
      return;
    case collective_operation::broadcast:
      if (pe_ != call_.root) copy(call_.root, 0, out);
      return;
    case collective_operation::scatter:
      return copy(call_.root, my_block_, out);
    case collective_operation::gather:
    case collective_operation::all_gather:
    case collective_operation::all_to_all: {
      const bool from_block = call_.kind == collective_operation::all_to_all;
      std::size_t at = 0;
      for (const peer& source : sources_) {
        const auto i = static_cast<std::size_t>(source.pe);
        const std::size_t bytes = from_block ? call_.arriving[i] : call_.sizes[i];
        copy(source.pe, from_block ? call_.places[i] : 0, out.subspan(at, bytes));
        at += bytes;
      }
      return;
    }
    case collective_operation::reduce:
      if (pe_ == call_.root) combine_into(out, pes, 0, false);
      return;
    case collective_operation::all_reduce:
      if (shares_.empty()) return combine_into(out, pes, 0, false);
      for (int pe = 0; pe < pes; ++pe) {
        const std::span<std::byte> share = share_of(pe);
        std::ranges::copy(share, out.subspan(share_starts_[static_cast<std::size_t>(pe)]).begin());
      }
      return;
    case collective_operation::reduce_scatter:
      return combine_into(out, pes, my_block_, false);
    case collective_operation::scan:
      return combine_into(out, pe_ + 1, 0, false);
    case collective_operation::exclusive_scan:
      repeat(call_.first, out);
      return combine_into(out, pe_, 0, true);
  }
}

void shared_collective::combine_into(std::span<std::byte> into, int last, std::size_t at,
                                     bool with_into) const {
  if (into.empty()) return;
  int pe = 0;
  if (!with_into) std::memcpy(into.data(), given_by(pe++) + at, into.size());
  for (; pe < last; ++pe) {
    const std::byte* const next = given_by(pe) + at;
    if (call_.how.numbers) {
      combine({.type = call_.how.numbers->type, .how = call_.how.numbers->how}, into.data(), next,
              nullptr, into.size());
    } else {
      call_.how.function(into.data(), into.data(), next, into.size() / call_.how.element_bytes);
    }
  }
}

std::span<std::byte> shared_collective::share_of(int pe) const {
  const auto i = static_cast<std::size_t>(pe);
  return {parts_[i][header_lines + slots_ * slot_lines_[i]].bytes, shares_[i]};
}

std::string shared_collective::explain() const {
  return explanation(call_, way_, static_cast<int>(parts_.size())) +
         "; each PE gives when it starts it, and takes when it asks for its end";
}

}  // namespace boxcar::detail
