// The records of an adapter lie in memory that the PEs of its node share: counters, operations that
// wait for counters, entries of the match list. Records name each other by index. Names from
// outside consist of index and generation, so that the name of a released record is invalid. All
// records except atomics are accessed under the adapter's lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <boxcar/adapter.hpp>

#include "substrate/node_lock.hpp"
#include "substrate/ready_list.hpp"

namespace boxcar::detail {

inline constexpr std::uint32_t no_record = std::numeric_limits<std::uint32_t>::max();

struct record_name {
  std::uint32_t index = no_record;
  std::uint32_t generation = 0;
};

// A memory_descriptor. Memory is named by its address if all PEs of the node see the memory there,
// or else by its region and the offset in the region. Region 0 is the adapter's own memory.
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
  // Commands from `copy` on are not matched.
  copy,
  combine,
  call,
  arrive,   // an end of a message is due (rendezvous_record)
  deliver,  // both ends are due
  reply     // between nodes
};

// Commands may change memory of the target, return the former values, and operate on numbers.
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

// The type of the numbers of a command, and the operation on the numbers.
struct number_rule {
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
  swap_rule when = swap_rule::always;
  std::array<std::byte, 8> operand = {};
};

// An operation; `pe` is a rank in the world of the adapter.
struct command {
  command_kind kind = command_kind::put;
  bool is_away = false;  // for the PE: goes to another node, or calls a function
  number_rule numbers = {};
  std::int32_t pe = -1;
  std::uint64_t bits = 0;
  std::uint64_t offset = 0;
  descriptor_record from = {};
  descriptor_record into = {};
  record_name object = {};  // a counter or an entry
  event_counts by = {};

  // Returns whether the command changes only records of its own adapter.
  [[nodiscard]] bool is_own() const {
    return kind >= command_kind::increment && kind <= command_kind::unlink;
  }
};

// A FIFO list, linked by `next` of the records.
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

// The time of an operation. The command lies in a separate array, under the same index: many
// operation records are compared for each operation that fires.
struct operation_record {
  std::uint64_t threshold = 0;  // after firing: the number of the firing (`fired`)
  std::uint64_t asked = 0;      // grows
  std::uint32_t next = no_record;
  std::uint32_t child = no_record;
};

// The operations waiting for a counter (waiting_operations.hpp).
struct waiting_record {
  record_list ascending;
  std::uint32_t heap = no_record;
  std::uint32_t count = 0;
};

struct counter_record {
  // Counts are written under the lock; the PE reads counts without the lock.
  std::atomic<std::uint64_t> successes;
  std::atomic<std::uint64_t> failures;
  waiting_record waiting;
  std::uint32_t generation = 0;
  std::uint32_t next = no_record;
  bool is_used = false;
};

struct entry_record {
  descriptor_record memory;  // and the unit of its counter
  std::uint64_t bits = 0;
  std::uint64_t ignored_bits = 0;
  std::uint64_t used = 0;
  std::uint64_t least_room = 0;
  std::uint64_t linked_as = 0;  // grows: the order of the list
  std::int32_t source = any_pe;
  std::uint32_t writers = 0;  // number of messages being copied
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

// An end of a message that two PEs of a node have matched in advance.
struct rendezvous_end {
  std::uint64_t at = 0;      // memory of the end's PE, as in a descriptor
  record_name counter = {};  // counts messages; none: the completion count of the end's PE
};

// A message matched in advance, delivered again and again. Each end adds `one_end` when due. The
// later end delivers the message, without matching, grants or locks. An end is due again only after
// the notification of the delivery: `one_end` is set if a single end is there. `is_abandoned` is
// set for ever when a PE destroys its end: the message is not delivered any more. When every
// message for which both ends were due has been delivered, no other PE touches the memory of either
// end.
struct alignas(64) rendezvous_record {
  static constexpr std::uint32_t is_abandoned = 1;
  static constexpr std::uint32_t one_end = 2;

  std::atomic<std::uint32_t> came{0};
  std::atomic<std::uint32_t> delivered{0};  // number of deliveries
  std::int32_t number = 0;                  // among the messages of the sender
  std::uint64_t bytes = 0;
  std::int32_t sender = 0;  // local rank
  std::int32_t receiver = 0;
  rendezvous_end from;  // written by the sender before its end is first due
  rendezvous_end into;
};

// A count on which nothing depends but the waiting PE: additions need no lock.
struct alignas(64) completion_count {
  std::atomic<std::uint64_t> count{0};
  std::atomic<bool> is_awaited{false};
};

// The header at the beginning of an adapter's block.
struct adapter_head {
  node_lock guard;
  std::uint32_t counters = 0;
  std::uint32_t entries = 0;
  std::uint32_t operations = 0;
  std::uint32_t buckets = 0;  // a power of two; another bucket is for all other entries
  std::uint64_t memory = 0;   // bytes
  record_list free_counters;
  record_list free_entries;
  record_list free_operations;
  record_list fired_here;  // to PEs of the node, or to the adapter itself
  record_list fired_away;
  bool is_drained = false;                  // a PE executes `fired_here` until the list is empty
  std::uint32_t next_to_drain = no_record;  // the next adapter in the work list of the draining PE
  std::uint32_t awaited = no_record;        // the counter awaited by the PE
  bool rings = false;  // the awaited counter has changed, or an operation has fired for the PE
  bool becomes_ready = false;  // an operation has fired for the PE
  ready_link ready;
  // Operations fired here are left to the waiting PE; the PE looks without the lock.
  std::atomic<bool> is_left_to_pe{false};
  std::atomic<bool> has_fired_away{false};  // for the PE; the PE looks without the lock
  std::uint64_t asked = 0;
  std::uint64_t fired = 0;    // grows
  std::uint64_t in_hand = 0;  // the number of the operation of `fired_here` being executed; 0: none
  std::uint64_t linked = 0;
  adapter_statistics did;
  completion_count completions;
};

}  // namespace boxcar::detail
