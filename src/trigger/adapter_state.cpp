#include "trigger/adapter_state.hpp"

#include <atomic>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/agreement.hpp"
#include "trigger/held_adapter.hpp"
#include "trigger/memory_ranges.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::detail {
namespace {

// Longer copies run without the lock.
constexpr std::uint64_t short_copy = 1024;
// The number of own operations executed before other PEs may have the lock.
constexpr int own_at_once = 64;
// The number of messages that may wait to be sent before a sender of more waits.
constexpr std::size_t max_outgoing = 64;

}  // namespace

adapter_state::adapter_state(substrate& of, rpc_engine& rpc, std::uint64_t number,
                             const adapter_limits& its_limits)
    : world(of),
      limits(its_limits),
      number_(number),
      rpc_(rpc),
      sees_all_memory_(of.is_one_process()),
      memory_(of.share_object_memory(adapter_block::bytes_for(its_limits))),
      my_place_(of.layout().local_rank(of.rank())),
      my_node_(of.node_of(of.rank())) {
  std::byte* const mine = memory_->block(my_place_);
  adapter_block::create(mine, its_limits);
  const auto here = static_cast<std::size_t>(world.layout().local_size(my_node_));
  blocks_.assign(here, adapter_block(mine));
  regions_.push_back(std::vector<std::span<std::byte>>(here, memory()));
  are_the_programs_.push_back(false);
}

void adapter_state::opened() {
  memory_->seal();
  for (std::size_t place = 0; place < blocks_.size(); ++place) {
    blocks_[place] = adapter_block(memory_->block(static_cast<int>(place)));
    regions_.front()[place] = {blocks_[place].memory(), blocks_[place].head().memory};
  }
  is_open_ = true;
  rpc_.watch_ready_list();
}

// --- Memory --------------------------------------------------------------------------------------

std::span<std::byte> adapter_state::memory() const {
  const adapter_block& b = blocks_[static_cast<std::size_t>(my_place_)];
  return {b.memory(), limits.memory};
}

void adapter_state::include(std::vector<std::span<std::byte>> parts, bool are_the_programs) {
  {
    const auto lock = rpc_.acquire_lock();
    regions_.push_back(std::move(parts));
    are_the_programs_.push_back(are_the_programs);
  }
  // Nothing names the parts before all PEs know them.
  if (is_open_) world.barrier();
}

void adapter_state::agree(const agreement& all, const char* operation) {
  if (is_open_) return all.require(world, operation, "an adapter's");
  if (!all.problem().empty()) throw argument_error(all.problem());
}

std::span<std::byte> adapter_state::memory_of(int pe) {
  const adapter_block& b = block(world.layout().local_rank(pe));
  return {b.memory(), b.head().memory};
}

std::optional<std::uint64_t> adapter_state::place_of(std::span<const std::byte> some) const {
  if (sees_all_memory_) return reinterpret_cast<std::uint64_t>(some.data());
  if (some.empty()) return 0;
  for (std::uint64_t region = 0; region < regions_.size(); ++region) {
    const std::span<const std::byte> all = regions_[region][static_cast<std::size_t>(my_place_)];
    if (is_within(some, all)) {
      return region << region_shift | static_cast<std::uint64_t>(some.data() - all.data());
    }
  }
  return std::nullopt;
}

std::byte* adapter_state::seen(int place, std::uint64_t at) const {
  if (sees_all_memory_) return reinterpret_cast<std::byte*>(at);
  return regions_[at >> region_shift][static_cast<std::size_t>(place)].data() + (at & place_mask);
}

// --- Counters ------------------------------------------------------------------------------------

bool adapter_state::has_counter(const record_name& counter) {
  return mine().find_counter(counter) != nullptr;
}
bool adapter_state::has_entry(const record_name& entry) {
  return mine().find_entry(entry) != nullptr;
}

event_counter adapter_state::make_counter() {
  const held h(*this);
  if (h->head().free_counters.empty()) {
    throw argument_error("make_counter: all " + std::to_string(limits.counters) +
                         " counters of the adapter are in use; release some, or give a larger "
                         "adapter_limits::counters");
  }
  const record_name made = h->take_counter();
  return {this, made.index, made.generation};
}

void adapter_state::release(const record_name& counter) {
  const held h(*this);
  if (const auto waiting = h->find_counter(counter)->waiting.count; waiting != 0) {
    throw contract_error("release: " + std::to_string(waiting) +
                         " operations wait for the counter; cancel them first");
  }
  h->give_back_counter(counter.index);
}

event_counts adapter_state::value(const record_name& counter) {
  const counter_record& c = *mine().find_counter(counter);
  // Pair with the stores of the counting PE: data written before are visible here.
  return {c.successes.load(std::memory_order_acquire), c.failures.load(std::memory_order_acquire)};
}

bool adapter_state::has_come(const record_name& counter, std::uint64_t successes) {
  const event_counts is = value(counter);
  return is.successes >= successes || is.failures != 0;
}

event_counts adapter_state::wait(const record_name& counter, std::uint64_t successes) {
  const auto is_there = [&] { return has_come(counter, successes); };
  wait_until(counter, is_there);
  return value(counter);
}

bool adapter_state::has_completed(const record_name& counter, std::uint64_t successes) {
  const event_counts is = value(counter);
  // Pairs with `count_delivered`: delivered data are here, and sent data have been read.
  // Sequentially consistent because of `is_awaited`.
  const std::uint64_t completed = mine().head().completions.count.load(std::memory_order_seq_cst);
  return is.successes + completed >= successes || is.failures != 0;
}

void adapter_state::wait_for_completions(const record_name& counter, std::uint64_t successes) {
  wait_until(counter, [&] { return has_completed(counter, successes); });
}

template <typename Condition>
void adapter_state::wait_until(const record_name& counter, const Condition& has_come) {
  const auto is_there = [&] { return has_come() || thrown_.has_come(); };
  adapter_head& head = mine().head();
  // Operations left to the PE until now are executed after the store of `awaited`.
  const auto await = [this, &head](std::uint32_t what) {
    work_list work;
    {
      const held h(*this, my_place_, work);
      head.awaited = what;
      // Pairs with the load in `count_delivered`: the load sees the flag, or the count is seen
      // here.
      head.completions.is_awaited.store(what != no_record, std::memory_order_seq_cst);
      head.is_left_to_pe.store(false, std::memory_order_relaxed);
    }
    drain(work);
  };
  const auto is_left = [&head] { return head.is_left_to_pe.load(std::memory_order_relaxed); };
  // Functions of the program are called while the PE waits, not while the PE looks.
  if (!(functions_.empty() ? rpc_.sees(is_there) : is_there())) {
    await(counter.index);
    try {
      while (!is_there()) {
        if (is_left()) {
          await(counter.index);
        } else if (!rpc_.sees([&] { return is_there() || is_left(); })) {
          rpc_.idle();
        }
      }
    } catch (...) {
      await(no_record);
      throw;
    }
    await(no_record);
  }
  rpc_.end_wait();
  thrown_.rethrow();
}

bool adapter_state::test(const record_name& counter, std::uint64_t successes) {
  const bool is_over = rpc_.test([&] { return has_come(counter, successes); });
  thrown_.rethrow();
  return is_over;
}

bool adapter_state::test_completions(const record_name& counter, std::uint64_t successes) {
  const bool is_over = rpc_.test([&] { return has_completed(counter, successes); });
  thrown_.rethrow();
  return is_over;
}

std::size_t adapter_state::cancel(const record_name& counter) {
  const held h(*this);
  return h->cancel(counter.index);
}

// --- Asking --------------------------------------------------------------------------------------

void adapter_state::when(const record_name& counter, std::uint64_t threshold, const command& what) {
  work_list work;
  {
    const held h(*this, my_place_, work);
    if (!h->has_room()) {
      throw argument_error("when: the adapter has room for " + std::to_string(limits.operations) +
                           " operations, and " + std::to_string(h->head().did.waiting) +
                           " wait for their counters; give a larger adapter_limits::operations");
    }
    h->wait_for(counter.index, threshold, what);
  }
  drain(work);
  send_fired();
}

void adapter_state::rearm(std::span<const repeated> all, std::uint64_t time,
                          std::span<rendezvous_record* const> due) {
  work_list work;
  if (!all.empty()) {
    const held h(*this, my_place_, work);
    for (const repeated& r : all) {
      if (r.counter == no_record) {
        h->fire(r.what);
      } else {
        h->wait_for(r.counter, time * r.threshold, r.what);
      }
    }
  }
  for (rendezvous_record* const m : due) arrive(*m, work);
  drain(work);
  send_fired();
}

event_function adapter_state::make_function(std::function<void()> f) {
  rpc_.work_within_node();
  const auto lock = rpc_.acquire_lock();
  functions_.push_back(std::move(f));
  return {this, static_cast<std::uint32_t>(functions_.size() - 1)};
}

void adapter_state::perform(const command& what) {
  if (what.is_away) {
    // Fired operations go first.
    wait_while([this] {
      const auto lock = rpc_.acquire_lock();
      return !take_fired();
    });
    const auto lock = rpc_.acquire_lock();
    execute_away(what);
    send_pieces();
    thrown_.rethrow();
  } else {
    work_list work;
    execute_here(my_place_, what, work);
    drain(work);
    send_fired();
  }
  if (what.kind == command_kind::unlink) wait_for_writers(what.object.index);
  wait_while([this] {
    const auto lock = rpc_.acquire_lock();
    return num_outgoing_ > max_outgoing;
  });
}

template <typename Condition>
void adapter_state::wait_while(const Condition& is_so) {
  if (!is_so()) return;
  while (is_so()) rpc_.idle_unrung();
  rpc_.end_wait();
}

void adapter_state::wait_for_writers(std::uint32_t entry) {
  wait_while([&] {
    const held h(*this);
    return h->is_written_to(entry);
  });
}

void adapter_state::send_fired() {
  if (world.layout().nodes() == 1 && functions_.empty()) return;
  const auto lock = rpc_.acquire_lock();
  work();
}

adapter_statistics adapter_state::statistics() {
  const held h(*this);
  return h->head().did;
}

// --- Carrying out, within the node ---------------------------------------------------------------

void adapter_state::drain(work_list& work) {
  while (work.first != no_record) {
    const auto place = static_cast<int>(work.first);
    work.first = block(place).head().next_to_drain;
    drain(place, work);
  }
}

void adapter_state::drain(int place, work_list& work) {
  held h(*this, place, work);
  adapter_head& head = h->head();
  for (int own = 0; !head.fired_here.empty() && !h.is_for_waiting_pe();) {
    const command what = h->take_fired_here();
    if (what.is_own()) {
      execute_own(*h, what);
      head.in_hand = 0;
      if (++own % own_at_once != 0) continue;
    }
    h.unlock();
    if (!what.is_own()) execute_here(place, what, work);
    h.lock();
    head.in_hand = 0;
  }
  head.is_drained = false;
  if (place != my_place_ && !head.fired_away.empty()) head.rings = true;
}

void adapter_state::execute_own(const adapter_block& b, const command& what) {
  ++b.head().did.operations;
  switch (what.kind) {
    case command_kind::increment:
      return b.add(what.object, what.by);
    case command_kind::set:
      return b.set(what.object, what.by);
    case command_kind::append:
      return b.append(what.object);
    default:
      return b.unlink(what.object);
  }
}

void adapter_state::execute_here(int place, const command& what, work_list& work) {
  if (what.is_own()) {
    const held h(*this, place, work);
    return execute_own(*h, what);
  }
  if (what.kind >= command_kind::copy) return execute_unmatched(place, what, work);
  const int to = world.layout().local_rank(what.pe);
  const message m = message_of(what, pe_at(place));
  const bool is_short = is_on_numbers(what.kind) || m.bytes <= short_copy;
  const std::byte* const from = seen(place, what.from.at);
  std::byte* const into = seen(place, what.into.at);
  acceptance a;
  {
    const held h(*this, to, work);
    a = h->accept(m);
    if (a.what == fate::done && is_short) {
      move(what.kind, what.numbers, seen(to, a.at), from, into, a.bytes);
      h->arrived(a);
    } else if (a.what == fate::done) {
      h->begin_copy(a);
    }
  }
  if (a.what == fate::done && !is_short) {
    move(what.kind, what.numbers, seen(to, a.at), from, into, a.bytes);
    const held h(*this, to, work);
    h->end_copy(a);
  }
  const held h(*this, place, work);
  ++h->head().did.operations;
  if (puts(what.kind)) note_sent(*h, what.from);
  note_reply(*h, gets(what.kind) ? what.into : what.from, a.what, a.bytes);
}

void adapter_state::execute_unmatched(int place, const command& what, work_list& work) {
  switch (what.kind) {
    case command_kind::arrive:
      return arrive(rendezvous(what), work);
    case command_kind::deliver:
      return deliver(rendezvous(what), work);
    default:
      return execute_within(place, what, work);
  }
}

void adapter_state::execute_within(int place, const command& what, work_list& work) {
  std::byte* const into = seen(place, what.into.at);
  const std::byte* const from = seen(place, what.from.at);
  if (what.kind == command_kind::combine) {
    combine(what.numbers, into, from, nullptr, what.from.bytes);
  } else if (what.from.bytes != 0) {
    std::memmove(into, from, what.from.bytes);
  }
  const held h(*this, place, work);
  ++h->head().did.operations;
  note_sent(*h, what.from);
}

command adapter_state::on_rendezvous(command_kind kind, const rendezvous_record& m) {
  const int receiver = pe_at(m.receiver);
  const auto at = reinterpret_cast<const std::byte*>(&m) - memory_of(receiver).data();
  return {.kind = kind, .pe = receiver, .offset = static_cast<std::uint64_t>(at)};
}

rendezvous_record& adapter_state::rendezvous(const command& what) {
  return *reinterpret_cast<rendezvous_record*>(memory_of(what.pe).data() + what.offset);
}

void adapter_state::arrive(rendezvous_record& m, work_list& work) {
  // Pairs with `arrive` at the other end: the data to send are there, and the memory to overwrite
  // is read no more.
  constexpr std::uint32_t one_end = rendezvous_record::one_end;
  const std::uint32_t before = m.came.fetch_add(one_end, std::memory_order_acq_rel);
  if ((before & (one_end | rendezvous_record::is_abandoned)) != one_end) {
    // An end of an abandoned message does not count: `came` and `delivered` stay comparable.
    if ((before & rendezvous_record::is_abandoned) != 0) {
      m.came.fetch_sub(one_end, std::memory_order_acq_rel);
    }
    return;
  }
  // Short messages are copied at once; a longer copy is queued at the adapter of the sender.
  if (m.bytes < held::long_work || m.sender == my_place_) return deliver(m, work);
  command what = on_rendezvous(command_kind::deliver, m);
  what.from.bytes = m.bytes;
  const held h(*this, m.sender, work);
  h->fire(what);
}

void adapter_state::deliver(rendezvous_record& m, work_list& work) {
  if (m.bytes != 0) {
    std::memmove(seen(m.receiver, m.into.at), seen(m.sender, m.from.at), m.bytes);
  }
  // Releases the memory of both ends to a PE that abandons its end. Only a single delivery runs at
  // a time.
  m.delivered.store(m.delivered.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  count_delivered(m.sender, m.from, work);
  count_delivered(m.receiver, m.into, work);
}

void adapter_state::count_delivered(int place, const rendezvous_end& end, work_list& work) {
  if (end.counter.index != no_record) {
    const held h(*this, place, work);
    h->count(end.counter, counts::messages, 0);
    return;
  }
  completion_count& completions = block(place).head().completions;
  // Pairs with the loads of the PE. Sequentially consistent, as is the next load: a waiting PE is
  // seen here, or sees the count before sleeping.
  completions.count.fetch_add(1, std::memory_order_seq_cst);
  if (completions.is_awaited.load(std::memory_order_seq_cst)) world.wake(pe_at(place));
}

void adapter_state::move(command_kind kind, const number_rule& numbers, std::byte* there,
                         const std::byte* from, std::byte* into, std::size_t bytes) {
  if (bytes == 0) return;
  switch (kind) {
    case command_kind::put:
      std::memmove(there, from, bytes);
      return;
    case command_kind::get:
      std::memmove(into, there, bytes);
      return;
    case command_kind::atomic:
      return combine(numbers, there, from, nullptr, bytes);
    case command_kind::fetch_atomic:
      return combine(numbers, there, from, into, bytes);
    default:
      return swap_numbers(numbers, there, from, into, bytes);
  }
}

void adapter_state::note_sent(const adapter_block& b, const descriptor_record& d) {
  if (d.counts_sends) b.count(d.counter, d.what, d.bytes);
}

void adapter_state::note_reply(const adapter_block& b, const descriptor_record& d, fate what,
                               std::uint64_t bytes) {
  if (!d.counts_replies) return;
  if (what == fate::done) {
    b.count(d.counter, d.what, bytes);
  } else {
    b.add(d.counter, {0, 1});
  }
}

}  // namespace boxcar::detail
