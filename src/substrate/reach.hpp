// Memory of all PEs of a world that a network reads and writes by itself, without the doing of the
// PE that has it. (Within a node nobody needs that.)
#pragma once

#include <cstddef>
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
  // From there, with all that this PE has put before. Unless it waits, they are here after
  // `complete`.
  virtual void get(int pe, std::size_t at, std::span<std::byte> into, bool waits) = 0;
  // Puts before it are there before whatever is sent to the same PE after it.
  virtual void fence() = 0;
  virtual void complete() = 0;
};

}  // namespace boxcar::detail
