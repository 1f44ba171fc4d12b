// A network adapter in software: what a PE asks of it happens later, when a counter has reached a
// number, without the PE's doing. The model is that of Portals 4.0 with the extension of
// "Protocols for Fully Offloaded Collective Operations on Accelerated Network Adapters", Schneider
// and others, 2013 (here offloaded-collectives-2013), section IV.C: the match list, too, is changed
// by triggered operations. docs/triggers.md explains it with examples.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <variant>

#include <boxcar/arithmetic.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/detail/object_handle.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

// What a PE's adapter has room for; known beforehand, so that nothing is refused in the middle.
struct adapter_limits {
  std::size_t counters = 64;
  std::size_t entries = 64;
  std::size_t operations = 256;  // that wait for their counters or are about to be carried out
  std::size_t memory = 0;        // bytes that others can reach (see adapter::memory)
};

// Names a counter of an adapter; one that was made by default names none.
struct event_counter {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const event_counter&, const event_counter&) = default;
};

// What a counter counts. Each stays at the largest number rather than begin anew.
struct event_counts {
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  friend bool operator==(const event_counts&, const event_counts&) = default;
};

// What an operation sends, or where it puts what it gets, on the PE that asks for it. The memory
// must live until the operation has been carried out or cancelled.
struct memory_descriptor {
  std::span<std::byte> memory = {};
  event_counter counter = {};
  bool counts_sends = false;  // the memory may be overwritten: what it held is on its way
  // The target has it (put, atomic), or the answer is here (get, fetch_atomic, swap). A failure if
  // the target had no entry for it, or one that does not allow it.
  bool counts_replies = false;
  counts what = counts::messages;
};

inline constexpr int any_pe = -1;

// How an entry of a match list deals with messages: which it takes, and what it does with them. A
// message is for the first entry of the list that matches it; if there is none it is dropped, and
// counted as such.
struct match_rules {
  std::span<std::byte> memory = {};
  int source = any_pe;
  std::uint64_t bits = 0;
  std::uint64_t ignored_bits = 0;  // those set here match anything
  bool use_once = false;           // the first message that it takes unlinks it
  bool allows_put = true;          // puts and atomic operations
  bool allows_get = false;         // gets; both for fetch_atomic and swap
  // Messages lie one behind the other, wherever their senders want them: append.
  bool manages_offset = false;
  // With manages_offset: less room than this unlinks it.
  std::size_t least_room = 0;
  // What is too long is cut off; else it does not match.
  bool truncates = false;
  event_counter counter = {};
  counts what = counts::messages;  // bytes: those that were written or read
};

// Names an entry of an adapter's match list; one that was made by default names none.
struct match_entry {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const match_entry&, const match_entry&) = default;
};

// To whom, to which of its entries, and where in that one's memory (not if that manages offsets).
struct match_target {
  int pe = 0;
  std::uint64_t bits = 0;
  std::size_t offset = 0;  // bytes
};

// Names a function that an adapter was given; one that was made by default names none.
struct event_function {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  friend bool operator==(const event_function&, const event_function&) = default;
};

// Whether the number there is replaced: if the operand of the swap is this to it.
enum class swap_rule : std::uint8_t {
  always,
  if_equal,
  if_not_equal,
  if_less,
  if_less_or_equal,
  if_greater,
  if_greater_or_equal,
  masked  // those bits that the operand has set; integers
};

// What an adapter can be asked for. Contents are those of the moment at which it is carried out; on
// the way to another node they are read until the counter of the sends says that they were.
namespace operation {

struct put {
  memory_descriptor from;
  match_target to;
};
struct get {
  memory_descriptor into;
  match_target from;
};
// Each number there becomes `how` of itself and the one that is sent, one operation at a time. At
// most adapter::most_atomic_bytes.
struct atomic {
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};
// The same, and what was there before comes back. Both memories have the same length.
struct fetch_atomic {
  memory_descriptor into;
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};
// Rules with an operand are for one number.
struct swap {
  memory_descriptor into;
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  swap_rule rule = swap_rule::always;
  std::array<std::byte, 8> operand = {};  // see operand_of
};

// Of this PE's own counters; the sums stay at the largest number.
struct increment {
  event_counter counter;
  event_counts by = {1, 0};
};
struct set {
  event_counter counter;
  event_counts to = {};
};
// Puts an entry at the end of this PE's match list, or takes it out, if it is not there already
// (offloaded-collectives-2013, section IV.C).
struct append {
  match_entry entry;
};
struct unlink {
  match_entry entry;
};

// Within this PE's memory; the counter of `from` counts when it is done (counts_sends). (The paper
// puts to itself for want of these, section IV.D.)
struct copy {
  memory_descriptor from;
  std::span<std::byte> into;
};
// Each number of `into` becomes `how` of itself and that of `from`. The memories have the same
// length, which is not limited; nobody else is to change these numbers meanwhile.
struct combine {
  memory_descriptor from;
  std::span<std::byte> into;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};

// Calls a function of the program; the counter, if there is one, counts when it has returned.
struct call {
  event_function function;
  event_counter counter = {};
};

using any = std::variant<put, get, atomic, fetch_atomic, swap, increment, set, append, unlink, copy,
                         combine, call>;

template <typename T>
std::array<std::byte, 8> operand_of(const T& value) {
  static_assert(number_type_of<T>() <= number_type::float64);
  std::array<std::byte, 8> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace operation

// What an adapter has done since it was made.
struct adapter_statistics {
  std::uint64_t operations = 0;  // carried out that this PE has asked for, triggered or not
  std::uint64_t triggered = 0;   // of these
  std::uint64_t messages = 0;    // that an entry here has taken
  std::uint64_t dropped = 0;     // that no entry matched
  std::uint64_t refused = 0;     // that the first entry which matched does not allow
  std::size_t waiting = 0;       // operations that wait for their counters now
};

namespace detail {
class adapter_state;
}

// One PE's handle of an adapter on each PE of a world.
//
// An operation that waits for a counter is carried out as soon as its threshold is reached:
// - by whoever makes it reach it, a PE of the node for instance that puts something here, on the
//   spot, whatever this PE does meanwhile; but if it copies much and this PE waits for a counter of
//   the adapter, by this PE;
// - if it goes to another node, or calls a function, by this PE in any function of Boxcar that
//   waits, or by its progress thread (docs/progress.md).
//
// Operations of one adapter to one PE are carried out in the order of their firing; those that one
// jump of a counter fires, in the order of their thresholds, then of asking. What goes to another
// node does so after all that fired before it within the node. (What `perform` does is done at once
// within the node, though another PE may still be busy with what has fired before.)
// Nothing is carried out within something else: however long a chain is, it takes no stack.
//
// Functions belong to the PE's thread. They throw argument_error for what can never work, which
// leaves everything as it was, and world_error if the world has failed. The handle can be moved;
// what it was moved from is good for nothing. To destroy it is local: others may still reach this
// PE's entries in adapter::memory and in windows for as long as they have theirs. What waits and
// names other memory of the program, or a function, is cancelled, and entries in other memory are
// released: when the destructor returns no other PE reads or writes such memory, and no function is
// called. What has fired is carried out first, and what goes to another node is copied.
class adapter {
 public:
  static constexpr std::size_t most_atomic_bytes = 2048;

  // Collective; limits need not be the same on all PEs. Throws system_error if there is not enough
  // memory.
  explicit adapter(const world& w, const adapter_limits& limits = {});

  // Memory for descriptors and entries, which whoever carries out operations can reach; zeroed.
  // Where all PEs are threads any other memory will do as well.
  [[nodiscard]] std::span<std::byte> memory() const;
  // Collective. The parts of a window will do as well from now on; it must live as long as what
  // names them. Throws argument_error on all PEs if it is one of another world.
  template <typename T>
  void include(const window<T>& w) {
    const detail::window_core& core = detail::window_access::core(w);
    include_parts(core.world_identity(), core.is_of_program(),
                  [&w](int pe) { return std::as_writable_bytes(w.direct(pe)); });
  }

  // Whether this memory of the PE will do.
  [[nodiscard]] bool reaches(std::span<const std::byte> some) const;

  // --- Counters ----------------------------------------------------------------------------------
  // Throws argument_error if there are none left.
  [[nodiscard]] event_counter make_counter();
  // What still names it counts nothing. Throws contract_error if operations wait for it.
  void release(event_counter c);
  [[nodiscard]] event_counts value(event_counter c) const;
  // Returns when there are so many successes, or any failure. Serves others meanwhile. (Triggers
  // count both together.)
  event_counts wait(event_counter c, std::uint64_t successes);
  // Whether it is so. Serves others.
  [[nodiscard]] bool test(event_counter c, std::uint64_t successes);
  // Those that wait for it are carried out no more; how many they were. None of them is going on
  // when this returns, but those that had fired may be.
  std::size_t cancel(event_counter c);

  // --- The match list ----------------------------------------------------------------------------
  // Not in the list yet. Throws argument_error if there are none left.
  [[nodiscard]] match_entry make_entry(const match_rules& rules);
  // Takes it out of the list if it is there. No message is being written there when this returns.
  void release(match_entry e);
  [[nodiscard]] bool is_linked(match_entry e) const;
  // With manages_offset: how many bytes have been given out since it was appended.
  [[nodiscard]] std::size_t used(match_entry e) const;

  // --- Functions ---------------------------------------------------------------------------------
  // What operations may call from now on. It is called by the PE's thread or its progress thread,
  // one at a time; it calls nothing of Boxcar and waits for no other PE. What it throws comes
  // out of `wait`, `test` or `perform` of this adapter; the world fails if that is destroyed
  // before.
  [[nodiscard]] event_function make_function(std::function<void()> f);

  // --- Operations --------------------------------------------------------------------------------
  // Does it now, or begins it if it goes to another node. An unlink returns when no message is
  // being written to the entry any more.
  void perform(const operation::any& what);
  // When successes and failures of `c` together are at least that: now, if they are already. Throws
  // argument_error if too many wait.
  void when(event_counter c, std::uint64_t threshold, const operation::any& what);

  [[nodiscard]] adapter_statistics statistics() const;
  [[nodiscard]] const adapter_limits& limits() const;

 private:
  friend detail::adapter_state;
  [[nodiscard]] detail::adapter_state& state(const char* operation) const;
  // `part_of(pe)`: of a PE of the node.
  void include_parts(std::uint64_t world, bool are_the_programs,
                     const std::function<std::span<std::byte>(int pe)>& part_of);

  detail::object_handle handle_;
};

}  // namespace boxcar
