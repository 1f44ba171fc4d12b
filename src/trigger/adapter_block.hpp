// The adapter of a PE as seen by the PEs of its node, and the operations under the adapter's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "trigger/match_list.hpp"
#include "trigger/numbers.hpp"
#include "trigger/records.hpp"
#include "trigger/waiting_operations.hpp"

namespace boxcar::detail {

enum class fate : std::uint8_t {
  done,
  dropped,  // nothing matched
  refused   // the first matching entry does not allow the operation
};

// A message that arrives at an adapter.
struct message {
  command_kind kind = command_kind::put;
  std::int32_t source = 0;
  std::uint64_t bits = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::size_t number_bytes = 1;  // nothing is cut off within a number
};

// Returns the message by which a command reaches its target PE.
[[nodiscard]] inline message message_of(const command& what, int source) {
  return {.kind = what.kind,
          .source = source,
          .bits = what.bits,
          .offset = what.offset,
          .bytes = (what.kind == command_kind::get ? what.into : what.from).bytes,
          .number_bytes = is_on_numbers(what.kind) ? bytes_of(what.numbers.type) : 1};
}

// The outcome of a message, and the address its bytes go to or come from.
struct acceptance {
  fate what = fate::dropped;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint32_t entry = no_record;
  record_name counter = {};
  counts counted = counts::messages;
};

class adapter_block {
 public:
  static std::size_t bytes_for(const adapter_limits& limits);
  // Called by the owner PE. Precondition: the memory is zeroed.
  static void create(std::byte* at, const adapter_limits& limits);
  // Called by all PEs of the node, after `create`.
  explicit adapter_block(std::byte* at);

  [[nodiscard]] adapter_head& head() const { return *head_; }
  [[nodiscard]] std::byte* memory() const { return memory_; }

  // --- Under the lock ----------------------------------------------------------------------------
  // Returns nullptr if the record has been released.
  [[nodiscard]] counter_record* find_counter(const record_name& name) const {
    return find(counters_, head_->counters, name);
  }
  [[nodiscard]] entry_record* find_entry(const record_name& name) const {
    return find(entries_, head_->entries, name);
  }

  // Precondition: a free counter or entry is left.
  record_name take_counter() const;
  void give_back_counter(std::uint32_t i) const;
  record_name take_entry(const entry_record& like) const;
  // Unlinks an entry and invalidates its name.
  void retire_entry(std::uint32_t i) const;
  [[nodiscard]] bool is_written_to(std::uint32_t entry) const {
    return entries_[entry].writers != 0;
  }
  // Precondition: the entry is retired, and nobody writes to the entry.
  void give_back_entry(std::uint32_t i) const;
  // Retires all entries for which `keeps(entry)` is false, for ever.
  template <typename Keeps>
  void retire_unless(const Keeps& keeps) const;
  // Returns whether a message is being written to a retired entry.
  [[nodiscard]] bool is_written_to_retired() const;

  // Changes a counter, and fires operations waiting for the new value.
  void add(const record_name& counter, const event_counts& by) const;
  void set(const record_name& counter, const event_counts& to) const;
  // Adds 1 or `bytes` to the counter, as `what` says.
  void count(const record_name& counter, counts what, std::uint64_t bytes) const;

  [[nodiscard]] bool has_room() const { return !head_->free_operations.empty(); }
  // Precondition: `has_room()`. Fires at once if the threshold has been reached.
  void wait_for(std::uint32_t counter, std::uint64_t threshold, const command& what) const;
  // Fires a command without a threshold. Precondition: `has_room()`.
  void fire(const command& what) const;
  // Cancels the operations waiting for the counter. Returns their number.
  std::size_t cancel(std::uint32_t counter) const;
  // Cancels all waiting operations for which `keeps(command)` is false.
  template <typename Keeps>
  void cancel_unless(const Keeps& keeps) const;
  // Removes the next command fired here. Precondition: the list is not empty. The command is in
  // hand until the head says otherwise.
  command take_fired_here() const;
  // Returns the next command fired for the PE, unless earlier commands are still to be executed
  // here: a reply to the message would find the adapter in an older state.
  [[nodiscard]] std::optional<command> take_fired_away() const;
  // Returns whether a command fired no later than `last` is still to be executed.
  [[nodiscard]] bool has_unexecuted(std::uint64_t last) const;
  // Returns how much the next command fired here copies. Precondition: the list is not empty.
  [[nodiscard]] std::uint64_t next_bytes() const {
    return commands_[head_->fired_here.first].from.bytes;
  }

  void append(const record_name& entry) const;
  void unlink(const record_name& entry) const;
  acceptance accept(const message& m) const;
  // Called when the work of an acceptance is done.
  void arrived(const acceptance& a) const;
  // Begins a longer copy without the lock: nobody may release the memory meanwhile.
  void begin_copy(const acceptance& a) const { ++entries_[a.entry].writers; }
  void end_copy(const acceptance& a) const;
  // Ends a copy of which not all data have come.
  void cut_copy(const acceptance& a) const { --entries_[a.entry].writers; }
  [[nodiscard]] bool is_retired(const acceptance& a) const { return !entries_[a.entry].is_used; }

 private:
  template <typename Record>
  static Record* find(Record* all, std::uint32_t limit, const record_name& name) {
    if (name.index >= limit) return nullptr;
    Record& r = all[name.index];
    return r.is_used && r.generation == name.generation ? &r : nullptr;
  }
  [[nodiscard]] match_list list() const { return {*head_, entries_, buckets_}; }
  [[nodiscard]] waiting_operations waiting_for(counter_record& c) const {
    return {operations_, c.waiting};
  }
  command take_fired(record_list& from) const;
  void set(counter_record& c, const event_counts& to) const;
  // Fires all operations waiting for `sum` or less.
  void fire(counter_record& c, std::uint64_t sum) const;
  void fire(std::uint32_t operation) const;

  adapter_head* head_;
  counter_record* counters_;
  operation_record* operations_;
  command* commands_;
  entry_record* entries_;
  record_list* buckets_;
  std::byte* memory_;
};

template <typename Keeps>
void adapter_block::cancel_unless(const Keeps& keeps) const {
  constexpr std::uint64_t any = ~std::uint64_t{0};
  for (counter_record& c : std::span(counters_, head_->counters)) {
    if (!c.is_used || c.waiting.count == 0) continue;
    waiting_record kept;
    for (auto all = waiting_for(c); c.waiting.count != 0;) {
      const std::uint32_t i = all.take(any);
      if (keeps(commands_[i])) {
        waiting_operations(operations_, kept).add(i);
      } else {
        head_->free_operations.add(operations_, i);
        --head_->did.waiting;
      }
    }
    c.waiting = kept;
  }
}

template <typename Keeps>
void adapter_block::retire_unless(const Keeps& keeps) const {
  for (std::uint32_t i = 0; i < head_->entries; ++i) {
    if (entries_[i].is_used && !keeps(entries_[i])) retire_entry(i);
  }
}

}  // namespace boxcar::detail
