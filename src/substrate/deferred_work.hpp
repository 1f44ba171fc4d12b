// Work that is left to a network: as soon as one of its counters has come far enough it puts, adds
// up or counts by itself, whatever the PE does meanwhile. One object for each PE and each thing
// that is done again and again, a schedule for instance; its items are all known before the first
// run. What the network has no room for, or refuses, is left to the PE: it does the same when it
// works (`work`), and nothing else differs.
//
// Functions are local, and called by one thread of the PE at a time. They throw system_error with
// the network's words; where there is no room for more, shortage.
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
  // Of the network, or of the PE where that has no more; from 0 on, never set back.
  enum class counter : std::uint32_t {};
  // In run k: when the counter has reached k times so many.
  struct due {
    counter of = {};
    std::uint64_t times = 1;
  };
  // Memory that a PE lets others put into; travels as plain bytes.
  struct place {
    std::uint64_t address = 0;
    std::uint64_t key = 0;
    std::uint64_t told = 0;  // the number that a put brings to a PE which counts it itself
  };
  // `into` becomes what it is when it is combined with `from`.
  using combining = void (*)(number_type type, arithmetic how, std::byte* into,
                             const std::byte* from, std::size_t bytes);
  // Who does what, of puts, copies, sums, counts and calls.
  struct share {
    std::size_t operations = 0;  // in all
    std::size_t calls = 0;       // that the PE does: of functions,
    std::size_t no_room = 0;     // those that the network has no room for,
    std::string why_no_room;
    std::size_t refused = 0;  // and those that it has refused when they were queued
    std::string why_refused;
    [[nodiscard]] std::size_t by_the_network() const {
      return operations - calls - no_room - refused;
    }
  };

  virtual ~deferred_work() = default;

  // What carries it out, for messages.
  [[nodiscard]] virtual std::string carrier() const = 0;
  // No counter holds more.
  [[nodiscard]] virtual std::uint64_t most_counted() const = 0;

  // --- Making, until the first run ---------------------------------------------------------------
  [[nodiscard]] virtual counter make_counter() = 0;
  // From now on others may put there, and the counter counts these puts. The memory, which is not
  // empty, stays where it is.
  [[nodiscard]] virtual place let_in(std::span<std::byte> memory, counter puts) = 0;
  // What others must know to put something here; and what this PE must know of each that it puts
  // to: then they are connected. Collective in that all PEs that meet do so at about the same time.
  [[nodiscard]] virtual std::span<const std::byte> address() const = 0;
  virtual void meet(int pe, std::span<const std::byte> address) = 0;

  // Of puts and copies: of so many bytes so many pieces are made, each of which is counted.
  [[nodiscard]] virtual std::uint64_t pieces(std::size_t bytes) const = 0;
  // `done` counts each piece that is there, which was put to the PE: one of those met, or to this
  // one.
  virtual void put(due when, std::span<const std::byte> from, int pe, place into, counter done) = 0;
  virtual void copy(due when, std::span<const std::byte> from, std::span<std::byte> into,
                    counter done) = 0;
  // 0: it cannot combine such numbers.
  [[nodiscard]] virtual std::uint64_t pieces(number_type type, arithmetic how,
                                             std::size_t bytes) const = 0;
  // Each number of `into` becomes `how` of itself and that of `from`; both lie on the boundaries of
  // numbers. A PE does it by `by_the_pe`.
  virtual void combine(due when, std::span<const std::byte> from, std::span<std::byte> into,
                       number_type type, arithmetic how, counter done, combining by_the_pe) = 0;
  virtual void increment(due when, counter of) = 0;
  // The PE calls it. False: it has not done what it was to do, and nothing is counted.
  virtual void call(due when, std::function<bool()> what, counter done) = 0;
  [[nodiscard]] virtual const share& shared() const = 0;

  // --- Runs --------------------------------------------------------------------------------------
  // All of it waits for its counters from now on, in run `run`: of the run before nothing does.
  virtual void queue(std::uint64_t run) = 0;
  virtual void increment(counter of) = 0;
  [[nodiscard]] virtual std::uint64_t value(counter of) const = 0;
  // Throws system_error if something has failed.
  virtual void require_success() = 0;
  // Does what is left to the PE and due, as far as it was heard of in `require_success`; false if
  // nothing is. What a call throws is thrown, and it is not called again in this run.
  virtual bool work() = 0;
  // Something is due, by what has been heard of, or what was begun has not ended.
  [[nodiscard]] virtual bool has_work() = 0;
  // The run is given up: what still waits is not carried out.
  virtual void cancel() noexcept = 0;
};

}  // namespace boxcar::detail
