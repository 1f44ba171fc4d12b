// What an adapter is made of, as it lies in memory that the PEs of its node share: counters,
// operations that wait for them, entries of the match list. Records name one another by index;
// what comes from outside names them by index and generation, so that a name whose record has been
// given back means nothing. All is touched under the adapter's lock only, but for what is atomic.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <boxcar/adapter.hpp>

#include "substrate/node_lock.hpp"

namespace boxcar::detail {

inline constexpr std::uint32_t no_record = std::numeric_limits<std::uint32_t>::max();

struct record_name {
  std::uint32_t index = no_record;
  std::uint32_t generation = 0;
};

// A memory_descriptor. Memory is named by its address, where all PEs of the node see it there, or
// by the region in which it lies and its place there. Region 0 is the adapter's own memory.
struct descriptor_record {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  record_name counter = {};
  bool counts_sends = false;
  bool counts_replies = false;
  counts what = counts::messages;
};

enum class command_kind : std::uint8_t {
  put,
  get,
  atomic,
  fetch_atomic,
  swap,
  increment,
  set,
  append,
  unlink,
  // From here on nothing is matched.
  copy,
  combine,
  call,
  meet,     // an end of a message is due (meeting_record)
  deliver,  // both are
  reply     // between nodes
};

// It changes what the target has; it brings back what that was; it is on numbers.
constexpr bool puts(command_kind kind) {
  return kind <= command_kind::swap && kind != command_kind::get;
}
constexpr bool gets(command_kind kind) {
  return kind == command_kind::get || kind == command_kind::fetch_atomic ||
         kind == command_kind::swap;
}
constexpr bool is_on_numbers(command_kind kind) {
  return kind >= command_kind::atomic && kind <= command_kind::swap;
}

inline constexpr int region_shift = 48;
inline constexpr std::uint64_t place_mask = (std::uint64_t{1} << region_shift) - 1;

// What kind of numbers an operation on numbers has, and what it does with them.
struct number_rule {
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
  swap_rule when = swap_rule::always;
  std::array<std::byte, 8> operand = {};
};

// An operation. To a PE: of its world.
struct command {
  command_kind kind = command_kind::put;
  bool is_away = false;  // it is for the PE: it goes to another node, or calls a function
  number_rule numbers = {};
  std::int32_t pe = -1;
  std::uint64_t bits = 0;
  std::uint64_t offset = 0;
  descriptor_record from = {};
  descriptor_record into = {};
  record_name object = {};  // a counter or an entry
  event_counts by = {};

  // It changes nothing but records of the adapter that it is asked of.
  [[nodiscard]] bool is_own() const {
    return kind >= command_kind::increment && kind <= command_kind::unlink;
  }
};

// First in, first out, by `next` of the records.
struct record_list {
  std::uint32_t first = no_record;
  std::uint32_t last = no_record;

  [[nodiscard]] bool empty() const { return first == no_record; }
  template <typename Record>
  void add(Record* all, std::uint32_t i) {
    all[i].next = no_record;
    (empty() ? first : all[last].next) = i;
    last = i;
  }
  template <typename Record>
  std::uint32_t take(Record* all) {
    const std::uint32_t i = first;
    first = all[i].next;
    return i;
  }
};

// When an operation is carried out. What it is lies elsewhere, under the same index: many of these
// are compared for one that fires.
struct operation_record {
  std::uint64_t threshold = 0;  // once it has fired, which of those that have (`fired`)
  std::uint64_t asked = 0;      // grows
  std::uint32_t next = no_record;
  std::uint32_t child = no_record;
};

// The operations that wait for a counter (waiting_operations.hpp).
struct waiting_record {
  record_list ascending;
  std::uint32_t heap = no_record;
  std::uint32_t count = 0;
};

struct counter_record {
  // Written under the lock; the PE reads them without.
  std::atomic<std::uint64_t> successes;
  std::atomic<std::uint64_t> failures;
  waiting_record waiting;
  std::uint32_t generation = 0;
  std::uint32_t next = no_record;
  bool is_used = false;
};

struct entry_record {
  descriptor_record memory;  // and what its counter counts
  std::uint64_t bits = 0;
  std::uint64_t ignored_bits = 0;
  std::uint64_t used = 0;
  std::uint64_t least_room = 0;
  std::uint64_t linked_as = 0;  // grows: the order of the list
  std::int32_t source = any_pe;
  std::uint32_t writers = 0;  // messages that are being copied
  std::uint32_t bucket = 0;
  std::uint32_t next = no_record;
  std::uint32_t previous = no_record;
  std::uint32_t generation = 0;
  bool is_used = false;
  bool is_linked = false;
  bool use_once = false;
  bool allows_put = false;
  bool allows_get = false;
  bool manages_offset = false;
  bool truncates = false;
};

// One end of a message that two PEs of a node have agreed on beforehand.
struct meeting_end {
  std::uint64_t at = 0;      // the memory of its PE, as in a descriptor
  record_name counter = {};  // that counts messages; none: the tally of its PE
};

// Such a message, which goes again and again. Each end, when it is due, adds `an_end`; who comes
// second delivers it, so that nothing is matched or granted, and nothing locked. An end is due
// again when it has been told that the message was delivered: so `an_end` is set if one of them is
// there. `is_abandoned` is set for ever when a PE destroys its end: the message is delivered no
// more, and when all that two ends had come for has been delivered, no other PE touches the memory
// of either end.
struct alignas(64) meeting_record {
  static constexpr std::uint32_t is_abandoned = 1;
  static constexpr std::uint32_t an_end = 2;

  std::atomic<std::uint32_t> came{0};
  std::atomic<std::uint32_t> delivered{0};  // so many times
  std::int32_t number = 0;                  // among those from this sender
  std::uint64_t bytes = 0;
  std::int32_t sender = 0;  // its place in the node
  std::int32_t receiver = 0;
  meeting_end from;  // written by the sender before its end is due first
  meeting_end into;
};

// A count on which nothing depends but the PE, which waits for it: whoever adds to it needs no
// lock.
struct alignas(64) tally_record {
  std::atomic<std::uint64_t> count{0};
  std::atomic<bool> is_awaited{false};
};

// At the beginning of an adapter's block.
struct adapter_head {
  node_lock guard;
  std::uint32_t counters = 0;
  std::uint32_t entries = 0;
  std::uint32_t operations = 0;
  std::uint32_t buckets = 0;  // a power of two; one more has the entries that match anything else
  std::uint64_t memory = 0;   // bytes
  record_list free_counters;
  record_list free_entries;
  record_list free_operations;
  record_list fired_here;  // to PEs of the node, or this adapter itself
  record_list fired_away;
  bool is_drained = false;                  // somebody carries out `fired_here`, until it is empty
  std::uint32_t next_to_drain = no_record;  // of whoever does that
  std::uint32_t awaited = no_record;        // the counter that the PE waits for
  bool rings = false;  // that one has changed, or something has fired for the PE
  // What has fired here is left to the PE, which waits; it looks without the lock.
  std::atomic<bool> is_left_to_pe{false};
  std::atomic<bool> has_fired_away{false};  // for the PE, which looks without the lock
  std::uint64_t asked = 0;
  std::uint64_t fired = 0;    // grows
  std::uint64_t in_hand = 0;  // of `fired_here` the one that is being carried out; 0: none
  std::uint64_t linked = 0;
  adapter_statistics did;
  tally_record tally;
};

}  // namespace boxcar::detail
