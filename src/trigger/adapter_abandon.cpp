// The destruction of an adapter, by the program or by an exception, gives memory and functions back
// to the program: waiting operations are cancelled, fired operations are finished, and no record
// names the memory any more. No step waits for the programs of other PEs.
#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include "trigger/adapter_state.hpp"
#include "trigger/held_adapter.hpp"
#include "trigger/memory_ranges.hpp"

namespace boxcar::detail {
namespace {

// Returns whether every message for which both ends were due has been delivered.
bool is_delivered(const rendezvous_record& m) {
  constexpr std::uint32_t to_deliver = 2 * rendezvous_record::one_end;
  const std::uint32_t due = m.came.load(std::memory_order_relaxed) / to_deliver;
  // Pairs with the store in `deliver`.
  const std::uint32_t delivered = m.delivered.load(std::memory_order_acquire);
  return (due - delivered) * to_deliver == 0;  // both begin anew at their largest numbers
}

}  // namespace

void adapter_state::dropped() noexcept {
  abandon_memory();
  thrown_.report(world);
}

bool adapter_state::outlives_handle(const descriptor_record& memory) const {
  if (memory.bytes == 0) return true;
  if (!sees_all_memory_) return !are_the_programs_[memory.at >> region_shift];
  const std::span<const std::byte> some(seen(my_place_, memory.at), memory.bytes);
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (are_the_programs_[i]) continue;
    if (is_within(some, regions_[i][static_cast<std::size_t>(my_place_)])) return true;
  }
  return false;
}

void adapter_state::abandon_memory() noexcept {
  std::deque<std::function<void()>> functions;  // the captures are destroyed without the lock
  const auto lock = rpc_.acquire_lock();
  abandon_unless([this](const auto& record) {
    using given = std::remove_cvref_t<decltype(record)>;
    if constexpr (std::is_same_v<given, command>) {
      return record.kind != command_kind::call && outlives_handle(record.from) &&
             outlives_handle(record.into);
    } else {
      return outlives_handle(record.memory);
    }
  });
  functions.swap(functions_);
}

void adapter_state::abandon(std::span<rendezvous_record* const> ends) noexcept {
  const auto lock = rpc_.acquire_lock();
  abandon_unless([](const auto&) { return false; });
  for (rendezvous_record* const m : ends) {
    // Pairs with a later `arrive`: `arrive` sees the flag.
    m->came.fetch_or(rendezvous_record::is_abandoned, std::memory_order_acq_rel);
  }
  for (const rendezvous_record* const m : ends) {
    // A PE copies the message, is about to leave the copy to the local PE as its sender, or has
    // left the copy to the PE at the other end.
    for (; !is_delivered(*m); world.pause_briefly()) finish_fired();
  }
  keep_messages();
}

template <typename Keeps>
void adapter_state::abandon_unless(const Keeps& keeps) {
  is_abandoned_ = true;
  {
    const held h(*this);
    h->cancel_unless(keeps);
    h->retire_unless(keeps);
  }
  cut_arrivals();
  keep_messages();
  finish_fired();
  keep_messages();
}

void adapter_state::finish_fired() {
  std::uint64_t last = 0;
  {
    const held h(*this);
    last = h->head().fired;
  }
  const auto is_over = [&] {
    const held h(*this);
    return !h->has_unexecuted(last) && !h->is_written_to_retired();
  };
  for (; !is_over(); world.pause_briefly()) {
    work_list work;
    {
      const held h(*this, my_place_, work);
      h->head().is_left_to_pe.store(false, std::memory_order_relaxed);
    }
    drain(work);
    static_cast<void>(take_fired());
  }
}

void adapter_state::keep_messages() {
  const auto is_kept = [this](outgoing_message& l) {
    if (l.data == nullptr) return true;
    try {
      l.kept.assign(l.data, l.data + l.bytes);
    } catch (const std::exception& e) {
      world.fail_unheard(e.what());
      return false;
    }
    l.data = nullptr;
    return true;
  };
  for (auto& [to, all] : outgoing_) {
    const auto lost = std::ranges::stable_partition(all, is_kept);
    for (outgoing_message& l : all) {
      if (l.read.entry == no_record) continue;
      work_list work;
      {
        const held h(*this, my_place_, work);
        h->end_copy(std::exchange(l.read, {}));
      }
      drain(work);
    }
    num_outgoing_ -= lost.size();
    all.erase(lost.begin(), lost.end());
  }
}

void adapter_state::cut_arrivals() {
  const held h(*this);
  for (auto& [source, a] : arriving_) {
    if (a.what != fate::done || !h->is_retired(a)) continue;
    h->cut_copy(a);
    a.what = fate::dropped;
  }
}

}  // namespace boxcar::detail
