// The adapter of one PE as the PEs of its node see it, and what can be done to it under its lock.
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
  refused   // the first that matched does not allow it
};

// What arrives.
struct message {
  command_kind kind = command_kind::put;
  std::int32_t source = 0;
  std::uint64_t bits = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::size_t number_bytes = 1;  // nothing is cut off within a number
};

// Of what a PE asks for, at the PE that this is to reach.
[[nodiscard]] inline message message_of(const command& what, int source) {
  return {.kind = what.kind,
          .source = source,
          .bits = what.bits,
          .offset = what.offset,
          .bytes = (what.kind == command_kind::get ? what.into : what.from).bytes,
          .number_bytes = is_on_numbers(what.kind) ? bytes_of(what.numbers.type) : 1};
}

// What became of it: where its bytes go, or come from.
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
  // By the PE that has it; the memory is zeroed.
  static void create(std::byte* at, const adapter_limits& limits);
  // By all, after that.
  explicit adapter_block(std::byte* at);

  [[nodiscard]] adapter_head& head() const { return *head_; }
  [[nodiscard]] std::byte* memory() const { return memory_; }

  // --- Under the lock ----------------------------------------------------------------------------
  // nullptr: it has been given back.
  [[nodiscard]] counter_record* find_counter(const record_name& name) const {
    return find(counters_, head_->counters, name);
  }
  [[nodiscard]] entry_record* find_entry(const record_name& name) const {
    return find(entries_, head_->entries, name);
  }

  // There must be one left.
  record_name take_counter() const;
  void give_back_counter(std::uint32_t i) const;
  record_name take_entry(const entry_record& like) const;
  // Takes it out of the list; its name means nothing any more.
  void retire_entry(std::uint32_t i) const;
  [[nodiscard]] bool is_written_to(std::uint32_t entry) const {
    return entries_[entry].writers != 0;
  }
  // When it has been retired, and nobody writes to it.
  void give_back_entry(std::uint32_t i) const;
  // All for which `keeps(entry)` is false, for ever.
  template <typename Keeps>
  void retire_unless(const Keeps& keeps) const;
  // Something is being written to an entry that has been retired.
  [[nodiscard]] bool is_written_to_retired() const;

  // Fires what waits for it.
  void add(const record_name& counter, const event_counts& by) const;
  void set(const record_name& counter, const event_counts& to) const;
  // Adds 1, or the bytes.
  void count(const record_name& counter, counts what, std::uint64_t bytes) const;

  [[nodiscard]] bool has_room() const { return !head_->free_operations.empty(); }
  // There must be room. Fires at once if the threshold has been reached.
  void wait_for(std::uint32_t counter, std::uint64_t threshold, const command& what) const;
  // The same for what waits for nothing.
  void fire(const command& what) const;
  // Those that wait for it go. How many they were.
  std::size_t cancel(std::uint32_t counter) const;
  // Of all that wait those go for which `keeps(command)` is false.
  template <typename Keeps>
  void cancel_unless(const Keeps& keeps) const;
  // Takes the next that has fired here; there must be one. It is in hand until the head says
  // otherwise.
  command take_fired_here() const;
  // The next that has fired for the PE, if nothing that fired before is still to be done here: a
  // message that answers it would find the adapter as it was before that.
  [[nodiscard]] std::optional<command> take_fired_away() const;
  // Something that had fired before `last` did, or that, is still to be carried out.
  [[nodiscard]] bool is_behind(std::uint64_t last) const;
  // How much the next that has fired here copies; there must be one.
  [[nodiscard]] std::uint64_t next_bytes() const {
    return commands_[head_->fired_here.first].from.bytes;
  }

  void append(const record_name& entry) const;
  void unlink(const record_name& entry) const;
  acceptance accept(const message& m) const;
  // What an acceptance was for is done.
  void arrived(const acceptance& a) const;
  // It takes a while, without the lock: nobody may give the memory back.
  void begin_copy(const acceptance& a) const { ++entries_[a.entry].writers; }
  void end_copy(const acceptance& a) const;
  // It ends without that all has come.
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
  // All that waits for this sum, or less.
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
