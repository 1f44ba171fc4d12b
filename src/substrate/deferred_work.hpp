// Triggered operations of a network: as soon as a counter reaches its threshold, the network puts,
// adds up or counts by itself, whatever the PE does meanwhile. Each PE has one object for each
// repeated task, a schedule for instance; all items are known before the first run. Items refused
// by the network, or without room there, are left to the PE: the PE executes them in `work`, with
// the same results.
//
// Functions are local, and called by one thread of the PE at a time. They throw system_error with
// the network's error text; shortage if there is no room for more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <boxcar/arithmetic.hpp>

namespace boxcar::detail {

class deferred_work {
 public:
  // A counter of the network, or of the PE if the network has no more; starts at 0, never reset.
  enum class counter : std::uint32_t {};
  // The trigger condition: in run k the counter has reached k times `times`.
  struct due {
    counter of = {};
    std::uint64_t times = 1;
  };
  // Memory of a PE for puts of other PEs; sent as plain bytes.
  struct place {
    std::uint64_t address = 0;
    std::uint64_t key = 0;
    std::uint64_t told = 0;  // a number sent with each put to a PE that counts puts itself
  };
  // Combines `from` into `into`.
  using combining = void (*)(number_type type, arithmetic how, std::byte* into,
                             const std::byte* from, std::size_t bytes);
  // The shares of the network and the PE in puts, copies, sums, counts and calls.
  struct share {
    std::size_t operations = 0;  // in all
    std::size_t calls = 0;       // that the PE does: of functions,
    std::size_t no_room = 0;     // without room in the network,
    std::string why_no_room;
    std::size_t refused = 0;  // and refused by the network when queued
    std::string why_refused;
    [[nodiscard]] std::size_t by_the_network() const {
      return operations - calls - no_room - refused;
    }
  };

  virtual ~deferred_work() = default;

  // Returns the name of the executor, for messages.
  [[nodiscard]] virtual std::string carrier() const = 0;
  // Returns the largest value of a counter.
  [[nodiscard]] virtual std::uint64_t most_counted() const = 0;

  // --- Making, until the first run ---------------------------------------------------------------
  [[nodiscard]] virtual counter make_counter() = 0;
  // Lets other PEs put into `memory`; the counter counts their puts. The memory is not empty, and
  // stays in place.
  [[nodiscard]] virtual place let_in(std::span<std::byte> memory, counter puts) = 0;
  // `address` returns the address of this PE for puts of other PEs; `connect` connects this PE with
  // a target of its puts. Collective in that all connecting PEs call `connect` at about the same
  // time.
  [[nodiscard]] virtual std::span<const std::byte> address() const = 0;
  virtual void connect(int pe, std::span<const std::byte> address) = 0;

  // Returns the number of pieces of a put or copy of `bytes` bytes; each piece is counted.
  [[nodiscard]] virtual std::uint64_t pieces(std::size_t bytes) const = 0;
  // `done` counts each piece that has arrived. `pe` is a PE connected by `connect`, or this PE.
  virtual void put(due when, std::span<const std::byte> from, int pe, place into, counter done) = 0;
  virtual void copy(due when, std::span<const std::byte> from, std::span<std::byte> into,
                    counter done) = 0;
  // Returns the number of pieces of a combination, or 0 if numbers of the type cannot be combined.
  [[nodiscard]] virtual std::uint64_t pieces(number_type type, arithmetic how,
                                             std::size_t bytes) const = 0;
  // Combines each number of `into` with the number of `from` by `how`; both are aligned to numbers.
  // A PE uses `by_the_pe`.
  virtual void combine(due when, std::span<const std::byte> from, std::span<std::byte> into,
                       number_type type, arithmetic how, counter done, combining by_the_pe) = 0;
  virtual void increment(due when, counter of) = 0;
  // The PE calls `what`. If `what` returns false, its task is not done, and nothing is counted.
  virtual void call(due when, std::function<bool()> what, counter done) = 0;
  [[nodiscard]] virtual const share& shared() const = 0;

  // --- Runs --------------------------------------------------------------------------------------
  // Starts run `run`: all items wait for their counters from now on. Precondition: no item of the
  // previous run waits.
  virtual void queue(std::uint64_t run) = 0;
  virtual void increment(counter of) = 0;
  [[nodiscard]] virtual std::uint64_t value(counter of) const = 0;
  // Throws system_error if an operation has failed.
  virtual void require_success() = 0;
  // Executes the due items of the PE, as far as known from `require_success`; returns false if no
  // item is due. Rethrows the exception of a call, and does not repeat the call in the run.
  virtual bool work() = 0;
  // Returns true if an item is known to be due, or a begun item has not ended.
  [[nodiscard]] virtual bool has_work() = 0;
  // Abandons the run: waiting items are not executed.
  virtual void cancel() noexcept = 0;
};

}  // namespace boxcar::detail
