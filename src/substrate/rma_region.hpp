// An RMA region: memory of all PEs of a world that a network reads and writes by itself, without
// action of the target PE. (PEs of one node need no RMA.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace boxcar::detail {

// Functions are local.
class rma_region {
 public:
  virtual ~rma_region() = default;
  // Returns the memory of this PE; all PEs have as many bytes.
  [[nodiscard]] virtual std::byte* mine() const = 0;
  // Returns the memory of another PE of this node, at its address in this process.
  [[nodiscard]] virtual std::byte* of_node(int pe) const = 0;

  // The least number of bytes of a put or get; a request is faster with fewer bytes.
  [[nodiscard]] virtual std::size_t min_bytes() const { return 0; }

  // Returns the address and key of the memory for puts and gets by other PEs; empty if not needed.
  [[nodiscard]] virtual std::span<const std::byte> rkey() const { return {}; }
  // Returns true if the address and key of `pe`, needed for puts to `pe`, are known; `set_rkey`
  // stores both.
  [[nodiscard]] virtual bool has_rkey(int /*pe*/) { return true; }
  virtual void set_rkey(int /*pe*/, std::span<const std::byte> /*rkey*/) {}

  // Puts data at byte `at` of the memory of `pe`. The caller may overwrite the data on return; the
  // data are there after `complete`.
  virtual void put(int pe, std::size_t at, std::span<const std::byte> data) = 0;
  // Puts data, and a counter of `pe` counts the arrival, either by one or by the number of bytes,
  // fewer than 2^32. `number` is the number of the counter from `pe` (put_counter::number_for).
  // Never called if the substrate has no counters.
  virtual void put_counted(int /*pe*/, std::size_t /*at*/, std::span<const std::byte> /*data*/,
                           std::uint64_t /*number*/) {
    std::abort();
  }
  // Gets data from the memory of `pe`, with all earlier puts of this PE. Unless `waits`, the data
  // are here after `complete`.
  virtual void get(int pe, std::size_t at, std::span<std::byte> into, bool waits) = 0;
  // Orders earlier puts to a PE before everything that is sent to the PE later.
  virtual void fence() = 0;
  // Orders earlier puts to a PE, and their counts, before everything put or sent to the PE later.
  virtual void order_puts() { fence(); }
  virtual void complete() = 0;
};

}  // namespace boxcar::detail
