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
