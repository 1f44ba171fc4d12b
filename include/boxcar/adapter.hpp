// A network adapter in software executes operations of a PE later, when a counter has reached a
// number, without action of the PE. The model is Portals 4.0 with the extension of "Protocols for
// Fully Offloaded Collective Operations on Accelerated Network Adapters", Schneider and others,
// 2013 (here offloaded-collectives-2013), section IV.C: triggered operations change the match list,
// too. docs/triggers.md explains adapters with examples.
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

// The capacity of a PE's adapter, fixed beforehand, so that no operation is refused in the middle.
struct adapter_limits {
  std::size_t counters = 64;
  std::size_t entries = 64;
  std::size_t operations = 256;  // waiting for their counters or about to be executed
  std::size_t memory = 0;        // bytes within reach of other PEs (see adapter::memory)
};

// The name of a counter of an adapter; a default-constructed event_counter names no counter.
struct event_counter {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const event_counter&, const event_counter&) = default;
};

// The values of a counter. Each number stays at its maximum, and never wraps around.
struct event_counts {
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  friend bool operator==(const event_counts&, const event_counts&) = default;
};

// The memory of an operation on the calling PE: the source of sent data, or the destination of
// received data. The memory must live until the operation has been executed or cancelled.
struct memory_descriptor {
  std::span<std::byte> memory = {};
  event_counter counter = {};
  bool counts_sends = false;  // the memory may be overwritten: its contents are on their way
  // Counts when the target has the data (put, atomic), or the reply is here (get, fetch_atomic,
  // swap). Counts a failure if the target had no entry for the message, or an entry that does not
  // allow the operation.
  bool counts_replies = false;
  counts what = counts::messages;
};

inline constexpr int any_pe = -1;

// The rules by which an entry of a match list takes and handles messages. A message is for the
// first matching entry of the list; without a matching entry, the message is dropped, and counted
// as dropped.
struct match_rules {
  std::span<std::byte> memory = {};
  int source = any_pe;
  std::uint64_t bits = 0;
  std::uint64_t ignored_bits = 0;  // bits set here match anything
  bool use_once = false;           // the first message taken unlinks the entry
  bool allows_put = true;          // puts and atomic operations
  bool allows_get = false;         // gets; both for fetch_atomic and swap
  // The entry appends each message behind the previous message, whatever offset the sender gives.
  bool manages_offset = false;
  // With manages_offset: less room than `least_room` unlinks the entry.
  std::size_t least_room = 0;
  // A message that is too long is truncated; if false, the message does not match.
  bool truncates = false;
  event_counter counter = {};
  counts what = counts::messages;  // bytes: the bytes written or read
};

// The name of an entry of a match list; a default-constructed match_entry names no entry.
struct match_entry {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  friend bool operator==(const match_entry&, const match_entry&) = default;
};

// The target PE, the match bits, and the offset in the entry's memory (ignored if the entry manages
// offsets).
struct match_target {
  int pe = 0;
  std::uint64_t bits = 0;
  std::size_t offset = 0;  // bytes
};

// The name of a function given to an adapter; a default-constructed event_function names no
// function.
struct event_function {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  friend bool operator==(const event_function&, const event_function&) = default;
};

// The condition of a swap, as the relation of its operand to the number at the target.
enum class swap_rule : std::uint8_t {
  always,
  if_equal,
  if_not_equal,
  if_less,
  if_less_or_equal,
  if_greater,
  if_greater_or_equal,
  masked  // the bits set in the operand; integers
};

// The operations of an adapter. Contents are read when the operation is executed; data for another
// node are read until the counter of the sends has counted.
namespace operation {

struct put {
  memory_descriptor from;
  match_target to;
};
struct get {
  memory_descriptor into;
  match_target from;
};
// Each number at the target becomes `how` of itself and the sent number, a single operation at a
// time. The maximum is adapter::most_atomic_bytes.
struct atomic {
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};
// Acts as `atomic`, and gets the former numbers. Both memories have the same length.
struct fetch_atomic {
  memory_descriptor into;
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};
// Rules with an operand are for a single number.
struct swap {
  memory_descriptor into;
  memory_descriptor from;
  match_target to;
  number_type type = number_type::int64;
  swap_rule rule = swap_rule::always;
  std::array<std::byte, 8> operand = {};  // see operand_of
};

// Changes a counter of the PE's own adapter; the sums stay at the maximum.
struct increment {
  event_counter counter;
  event_counts by = {1, 0};
};
struct set {
  event_counter counter;
  event_counts to = {};
};
// Appends an entry to the PE's match list, or unlinks the entry, unless done already
// (offloaded-collectives-2013, section IV.C).
struct append {
  match_entry entry;
};
struct unlink {
  match_entry entry;
};

// Copies within the PE's memory; the counter of `from` counts the end of the copy (counts_sends).
// (The paper puts to the PE itself for want of a copy, section IV.D.)
struct copy {
  memory_descriptor from;
  std::span<std::byte> into;
};
// Each number of `into` becomes `how` of itself and the number of `from`. The memories have the
// same length, of any size; nobody else may change the numbers meanwhile.
struct combine {
  memory_descriptor from;
  std::span<std::byte> into;
  number_type type = number_type::int64;
  arithmetic how = arithmetic::sum;
};

// Calls a function of the program; the counter, if any, counts the return of the function.
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

// The adapter counts its work since its construction.
struct adapter_statistics {
  std::uint64_t operations = 0;  // executed for the PE, triggered or not
  std::uint64_t triggered = 0;   // operations that were triggered
  std::uint64_t messages = 0;    // taken by an entry here
  std::uint64_t dropped = 0;     // messages without a matching entry
  std::uint64_t refused = 0;     // messages not allowed by the first matching entry
  std::size_t waiting = 0;       // operations waiting for their counters now
};

namespace detail {
class adapter_state;
}

// The handle of an adapter on one PE; each PE of the world has an adapter.
//
// An operation that waits for a counter is executed as soon as its threshold is reached:
// - within the node by the PE that makes the counter reach the threshold, for instance by a put, on
//   the spot, whatever the owner PE does meanwhile; but a long copy is left to the owner PE if the
//   owner waits for a counter of the adapter;
// - to another node, or as a call of a function, by the owner PE in any function of Boxcar that
//   waits, or by its progress thread (docs/progress.md).
//
// Operations of an adapter to the same PE are executed in the order of firing; operations fired by
// the same jump of a counter, in the order of thresholds, then of requests. An operation to another
// node comes after all operations fired earlier within the node. (`perform` is executed at once
// within the node, though another PE may still be busy with operations fired earlier.) No operation
// is executed within another operation: a chain of any length takes no stack.
//
// Functions belong to the PE's thread. They throw argument_error for arguments that can never work,
// without any effect, and world_error if the world has failed. Movable; a moved-from adapter may
// only be destroyed or assigned to. Destruction is local: other PEs may still reach the PE's
// entries in adapter::memory and in windows for as long as they have their adapters and windows.
// The destructor cancels waiting operations that name other memory of the program, or a function,
// and releases entries in other memory: when the destructor returns, no other PE reads or writes
// other memory of the program, and no function is called. Fired operations are executed first, and
// data for another node are copied.
class adapter {
 public:
  static constexpr std::size_t most_atomic_bytes = 2048;

  // Collective; limits need not be the same on all PEs. Throws system_error if there is not enough
  // memory.
  explicit adapter(const world& w, const adapter_limits& limits = {});

  // Returns zeroed memory for descriptors and entries, within reach of every PE that executes
  // operations. Where all PEs are threads, any other memory will do as well.
  [[nodiscard]] std::span<std::byte> memory() const;
  // Collective. Allows descriptors and entries in the parts of a window from now on; the window
  // must live as long as they do. Throws argument_error on all PEs if the window is of another
  // world, or not the same window on all PEs.
  template <typename T>
  void include(const window<T>& w) {
    const detail::window_core& core = detail::window_access::core(w);
    include_parts({core.world_identity(), core.number(), core.is_of_program()},
                  [&w](int pe) { return std::as_writable_bytes(w.direct(pe)); });
  }

  // Returns whether descriptors and entries may use the memory of the PE.
  [[nodiscard]] bool reaches(std::span<const std::byte> some) const;

  // --- Counters ----------------------------------------------------------------------------------
  // Throws argument_error if no counter is left.
  [[nodiscard]] event_counter make_counter();
  // Releases a counter; operations that still name the counter count nothing. Throws contract_error
  // if operations wait for the counter.
  void release(event_counter c);
  [[nodiscard]] event_counts value(event_counter c) const;
  // Returns when there are `successes` successes, or any failure. Serves other PEs meanwhile.
  // (Triggers count successes and failures together.)
  event_counts wait(event_counter c, std::uint64_t successes);
  // Returns whether `wait` would return at once. Serves other PEs.
  [[nodiscard]] bool test(event_counter c, std::uint64_t successes);
  // Cancels the operations waiting for the counter, and returns their number. No cancelled
  // operation is in progress when `cancel` returns, but operations fired before may be.
  std::size_t cancel(event_counter c);

  // --- The match list ----------------------------------------------------------------------------
  // Returns an entry outside the list. Throws argument_error if no entry is left.
  [[nodiscard]] match_entry make_entry(const match_rules& rules);
  // Unlinks and releases an entry. No message is being written there when `release` returns.
  void release(match_entry e);
  [[nodiscard]] bool is_linked(match_entry e) const;
  // With manages_offset: returns how many bytes have been given out since the entry was appended.
  [[nodiscard]] std::size_t used(match_entry e) const;

  // --- Functions ---------------------------------------------------------------------------------
  // Adds a function for operations to call. The PE's thread or its progress thread calls the
  // functions, only one at a time; a function calls nothing of Boxcar and waits for no other PE.
  // Exceptions of the function come out of `wait`, `test` or `perform` of the adapter; the world
  // fails if the adapter is destroyed before.
  [[nodiscard]] event_function make_function(std::function<void()> f);

  // --- Operations --------------------------------------------------------------------------------
  // Executes an operation now, or begins the operation if the target is on another node. An unlink
  // returns when no message is being written to the entry any more.
  void perform(const operation::any& what);
  // Executes an operation when successes and failures of `c` together reach `threshold`: now, if
  // reached already. Throws argument_error if too many operations wait.
  void when(event_counter c, std::uint64_t threshold, const operation::any& what);

  [[nodiscard]] adapter_statistics statistics() const;
  [[nodiscard]] const adapter_limits& limits() const;

 private:
  friend detail::adapter_state;
  explicit adapter(detail::object_handle handle);
  [[nodiscard]] detail::adapter_state& state(const char* operation) const;
  struct included_window {
    std::uint64_t world;
    std::uint64_t number;  // in the world
    bool is_of_program;    // the program has allocated the elements
  };
  // `part_of(pe)` returns the part of a PE of the node.
  void include_parts(const included_window& w,
                     const std::function<std::span<std::byte>(int pe)>& part_of);

  detail::object_handle handle_;
};

}  // namespace boxcar
