// Memory of all PEs of a world that a network reads and writes by itself, without the doing of the
// PE that has it. (Within a node nobody needs that.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace boxcar::detail {

// Functions are local.
class reach {
 public:
  virtual ~reach() = default;
  // What this PE has; the others have as many bytes.
  [[nodiscard]] virtual std::byte* mine() const = 0;
  // What another PE of this node has, as this one sees it.
  [[nodiscard]] virtual std::byte* of_node(int pe) const = 0;

  // Fewer go faster by a request.
  [[nodiscard]] virtual std::size_t least_bytes() const { return 0; }

  // What this PE has to tell those that put and get here; nothing to be told by default.
  [[nodiscard]] virtual std::span<const std::byte> place() const { return {}; }
  // Whether that of `pe` is known, without which nothing can be put there; and what it is.
  [[nodiscard]] virtual bool knows(int /*pe*/) { return true; }
  virtual void learn(int /*pe*/, std::span<const std::byte> /*place*/) {}

  // To byte `at` of what the PE has. The data may be overwritten here when this returns; they are
  // there after `complete`.
  virtual void put(int pe, std::size_t at, std::span<const std::byte> data) = 0;
  // The same, and a counter of that PE counts it when the data are there, as one that it is or by
  // its bytes, fewer than 2^32: the counter of which that PE has given this number
  // (put_counter::number_for). Nobody has one where the substrate makes no such counters.
  virtual void put_counted(int /*pe*/, std::size_t /*at*/, std::span<const std::byte> /*data*/,
                           std::uint64_t /*number*/) {
    std::abort();
  }
  // From there, with all that this PE has put before. Unless it waits, they are here after
  // `complete`.
  virtual void get(int pe, std::size_t at, std::span<std::byte> into, bool waits) = 0;
  // Puts before it are there before whatever is sent to the same PE after it.
  virtual void fence() = 0;
  // Puts before it are there, and counted, before whatever is put or sent there after it.
  virtual void order_puts() { fence(); }
  virtual void complete() = 0;
};

}  // namespace boxcar::detail
