#include "trigger/adapter_block.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <span>

namespace boxcar::detail {
namespace {

constexpr std::size_t boundary = 64;
constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + boundary - 1) / boundary * boundary;
}

std::size_t buckets_for(std::size_t entries) {
  return std::bit_ceil(std::max<std::size_t>(entries, 1));
}

// The offsets of the arrays in a block.
struct parts {
  parts(std::size_t counters, std::size_t operations, std::size_t entries, std::size_t buckets)
      : operations_at(counters_at + rounded(counters * sizeof(counter_record))),
        commands_at(operations_at + rounded(operations * sizeof(operation_record))),
        entries_at(commands_at + rounded(operations * sizeof(command))),
        buckets_at(entries_at + rounded(entries * sizeof(entry_record))),
        memory_at(buckets_at + rounded((buckets + 1) * sizeof(record_list))) {}

  static constexpr std::size_t counters_at = rounded(sizeof(adapter_head));
  std::size_t operations_at;
  std::size_t commands_at;
  std::size_t entries_at;
  std::size_t buckets_at;
  std::size_t memory_at;
};

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum < a ? ~std::uint64_t{0} : sum;
}

template <typename Record>
void make_free(Record* all, std::uint32_t limit, record_list& list) {
  std::uninitialized_default_construct_n(all, limit);
  for (std::uint32_t i = 0; i < limit; ++i) list.add(all, i);
}

}  // namespace

std::size_t adapter_block::bytes_for(const adapter_limits& l) {
  return parts(l.counters, l.operations, l.entries, buckets_for(l.entries)).memory_at + l.memory;
}

void adapter_block::create(std::byte* at, const adapter_limits& limits) {
  auto& head = *new (at) adapter_head;
  head.counters = static_cast<std::uint32_t>(limits.counters);
  head.entries = static_cast<std::uint32_t>(limits.entries);
  head.operations = static_cast<std::uint32_t>(limits.operations);
  head.buckets = static_cast<std::uint32_t>(buckets_for(limits.entries));
  head.memory = limits.memory;
  const adapter_block made(at);
  make_free(made.counters_, head.counters, head.free_counters);
  make_free(made.operations_, head.operations, head.free_operations);
  make_free(made.entries_, head.entries, head.free_entries);
  std::uninitialized_default_construct_n(made.commands_, head.operations);
  std::uninitialized_default_construct_n(made.buckets_, head.buckets + 1);
}

adapter_block::adapter_block(std::byte* at) : head_(reinterpret_cast<adapter_head*>(at)) {
  const parts p(head_->counters, head_->operations, head_->entries, head_->buckets);
  counters_ = reinterpret_cast<counter_record*>(at + parts::counters_at);
  operations_ = reinterpret_cast<operation_record*>(at + p.operations_at);
  commands_ = reinterpret_cast<command*>(at + p.commands_at);
  entries_ = reinterpret_cast<entry_record*>(at + p.entries_at);
  buckets_ = reinterpret_cast<record_list*>(at + p.buckets_at);
  memory_ = at + p.memory_at;
}

// --- Records -------------------------------------------------------------------------------------

record_name adapter_block::take_counter() const {
  const std::uint32_t i = head_->free_counters.take(counters_);
  counter_record& c = counters_[i];
  c.is_used = true;
  c.successes.store(0, std::memory_order_relaxed);
  c.failures.store(0, std::memory_order_relaxed);
  c.waiting = {};
  return {i, ++c.generation};
}

void adapter_block::give_back_counter(std::uint32_t i) const {
  counters_[i].is_used = false;
  head_->free_counters.add(counters_, i);
}

record_name adapter_block::take_entry(const entry_record& like) const {
  const std::uint32_t i = head_->free_entries.take(entries_);
  const std::uint32_t generation = entries_[i].generation + 1;
  entries_[i] = like;
  entries_[i].is_used = true;
  entries_[i].generation = generation;
  return {i, generation};
}

void adapter_block::retire_entry(std::uint32_t i) const {
  if (entries_[i].is_linked) list().unlink(i);
  entries_[i].is_used = false;
}

bool adapter_block::is_written_to_retired() const {
  return std::ranges::any_of(std::span(entries_, head_->entries),
                             [](const entry_record& e) { return !e.is_used && e.writers != 0; });
}

void adapter_block::give_back_entry(std::uint32_t i) const {
  head_->free_entries.add(entries_, i);
}

// --- Counters ------------------------------------------------------------------------------------

void adapter_block::add(const record_name& counter, const event_counts& by) const {
  counter_record* const c = find_counter(counter);
  if (c == nullptr) return;
  set(*c, {saturated_sum(c->successes.load(std::memory_order_relaxed), by.successes),
           saturated_sum(c->failures.load(std::memory_order_relaxed), by.failures)});
}

void adapter_block::set(const record_name& counter, const event_counts& to) const {
  if (counter_record* const c = find_counter(counter)) set(*c, to);
}

void adapter_block::set(counter_record& c, const event_counts& to) const {
  // Operations fire first: a PE that sees the new counts must see the fired operations as well, and
  // send them first.
  if (c.waiting.count != 0) fire(c, saturated_sum(to.successes, to.failures));
  // Release earlier writes; pair with the loads of waiting PEs.
  c.successes.store(to.successes, std::memory_order_release);
  c.failures.store(to.failures, std::memory_order_release);
  if (head_->awaited == static_cast<std::uint32_t>(&c - counters_)) head_->rings = true;
}

void adapter_block::count(const record_name& counter, counts what, std::uint64_t bytes) const {
  add(counter, {what == counts::bytes ? bytes : 1, 0});
}

void adapter_block::fire(counter_record& c, std::uint64_t sum) const {
  auto waiting = waiting_for(c);
  for (auto i = waiting.take(sum); i != no_record; i = waiting.take(sum)) {
    --head_->did.waiting;
    fire(i);
  }
}

void adapter_block::fire(std::uint32_t operation) const {
  ++head_->did.triggered;
  operations_[operation].threshold = ++head_->fired;
  if (!commands_[operation].is_away) return head_->fired_here.add(operations_, operation);
  head_->fired_away.add(operations_, operation);
  if (head_->has_fired_away.load(std::memory_order_relaxed)) return;
  // Pairs with the load of the PE; sequentially consistent because of `wake`.
  head_->has_fired_away.store(true, std::memory_order_seq_cst);
  head_->rings = true;
  head_->becomes_ready = true;
}

void adapter_block::wait_for(std::uint32_t counter, std::uint64_t threshold,
                             const command& what) const {
  const std::uint32_t i = head_->free_operations.take(operations_);
  operation_record& o = operations_[i];
  o.threshold = threshold;
  o.asked = ++head_->asked;
  commands_[i] = what;
  ++head_->did.waiting;
  waiting_for(counters_[counter]).add(i);
  counter_record& c = counters_[counter];
  fire(c, saturated_sum(c.successes.load(std::memory_order_relaxed),
                        c.failures.load(std::memory_order_relaxed)));
}

void adapter_block::fire(const command& what) const {
  const std::uint32_t i = head_->free_operations.take(operations_);
  commands_[i] = what;
  fire(i);
}

std::size_t adapter_block::cancel(std::uint32_t counter) const {
  auto waiting = waiting_for(counters_[counter]);
  std::size_t cancelled = 0;
  constexpr std::uint64_t any = ~std::uint64_t{0};
  for (auto i = waiting.take(any); i != no_record; i = waiting.take(any)) {
    head_->free_operations.add(operations_, i);
    ++cancelled;
  }
  head_->did.waiting -= cancelled;
  return cancelled;
}

command adapter_block::take_fired_here() const {
  head_->in_hand = operations_[head_->fired_here.first].threshold;
  return take_fired(head_->fired_here);
}

std::optional<command> adapter_block::take_fired_away() const {
  if (head_->fired_away.empty()) return std::nullopt;
  const std::uint64_t fired = operations_[head_->fired_away.first].threshold;
  const std::uint32_t here = head_->fired_here.first;
  const bool waits = head_->in_hand != 0 ? head_->in_hand < fired
                                         : here != no_record && operations_[here].threshold < fired;
  if (waits) return std::nullopt;
  const command what = take_fired(head_->fired_away);
  if (head_->fired_away.empty()) head_->has_fired_away.store(false, std::memory_order_relaxed);
  return what;
}

bool adapter_block::has_unexecuted(std::uint64_t last) const {
  const auto has_one = [&](const record_list& fired) {
    return !fired.empty() && operations_[fired.first].threshold <= last;
  };
  const bool is_in_hand = head_->in_hand != 0 && head_->in_hand <= last;
  return is_in_hand || has_one(head_->fired_here) || has_one(head_->fired_away);
}

command adapter_block::take_fired(record_list& from) const {
  const std::uint32_t i = from.take(operations_);
  const command what = commands_[i];
  head_->free_operations.add(operations_, i);
  return what;
}

// --- The match list ------------------------------------------------------------------------------

void adapter_block::append(const record_name& entry) const {
  const entry_record* const e = find_entry(entry);
  if (e != nullptr && !e->is_linked) list().append(entry.index);
}

void adapter_block::unlink(const record_name& entry) const {
  const entry_record* const e = find_entry(entry);
  if (e != nullptr && e->is_linked) list().unlink(entry.index);
}

acceptance adapter_block::accept(const message& m) const {
  const auto room_in = [&m](const entry_record& e) {
    const std::uint64_t offset = e.manages_offset ? e.used : m.offset;
    return e.memory.bytes - std::min(offset, e.memory.bytes);
  };
  const std::uint32_t i = list().find(m.source, m.bits, [&](const entry_record& e) {
    return e.truncates || m.bytes <= room_in(e);
  });
  if (i == no_record) {
    ++head_->did.dropped;
    return {};
  }
  entry_record& e = entries_[i];
  if ((puts(m.kind) && !e.allows_put) || (gets(m.kind) && !e.allows_get)) {
    ++head_->did.refused;
    return {.what = fate::refused};
  }
  const std::uint64_t room = room_in(e);
  acceptance a{.what = fate::done,
               .at = e.memory.at + (e.memory.bytes - room),
               .bytes = std::min(m.bytes, room),
               .entry = i,
               .counter = e.memory.counter,
               .counted = e.memory.what};
  if (a.bytes != m.bytes) a.bytes -= a.bytes % m.number_bytes;
  if (e.manages_offset) e.used += a.bytes;
  const bool is_full = e.manages_offset && e.memory.bytes - e.used < e.least_room;
  if (e.use_once || is_full) list().unlink(i);
  return a;
}

void adapter_block::arrived(const acceptance& a) const {
  ++head_->did.messages;
  count(a.counter, a.counted, a.bytes);
}

void adapter_block::end_copy(const acceptance& a) const {
  --entries_[a.entry].writers;
  arrived(a);
}

}  // namespace boxcar::detail
