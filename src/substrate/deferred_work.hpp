// Work that is left to a network: as soon as one of its counters has come far enough it puts, adds
// up or counts by itself, whatever the PE does meanwhile. One object for each PE and each thing
// that is done again and again, a schedule for instance; its items are all known before the first
// run.
//
// Functions are local and belong to the PE's thread. They throw system_error with the network's
// words; where it has no room for more, shortage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace boxcar {
enum class number_type : std::uint8_t;
enum class arithmetic : std::uint8_t;
}  // namespace boxcar

namespace boxcar::detail {

class deferred_work {
 public:
  // Of the network, from 0 on, never set back.
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
  // numbers.
  virtual void combine(due when, std::span<const std::byte> from, std::span<std::byte> into,
                       number_type type, arithmetic how, counter done) = 0;
  virtual void increment(due when, counter of) = 0;

  // --- Runs --------------------------------------------------------------------------------------
  // All of it waits for its counters from now on, in run `run`: of the run before nothing does.
  virtual void queue(std::uint64_t run) = 0;
  virtual void increment(counter of) = 0;
  [[nodiscard]] virtual std::uint64_t value(counter of) const = 0;
  // Throws system_error if something has failed.
  virtual void require_success() = 0;
  // The run is given up: what still waits is not carried out.
  virtual void cancel() noexcept = 0;
};

}  // namespace boxcar::detail
