// Links to other nodes for substrates with one-sided writes: put with a signal that is seen after
// the data (conveyors-2019, section 4.3.2, "Signaling puts").
//
// The sender fills a private buffer; `send` puts the contents into a buffer of the link at the
// receiver, and signals the length there. The receiver reads the buffer in place, and puts back how
// often the buffer was read; from the number the sender knows that the buffer is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// One block of memory on each PE, of equal size on all PEs, that the other PEs can write to.
class remote_memory {
 public:
  virtual ~remote_memory() = default;
  // Returns this PE's own block, with any contents at first. No PE writes to the block before the
  // PEs have synchronised again.
  [[nodiscard]] virtual std::byte* mine() = 0;
  // Puts data into the memory of another PE, and then the signal: an acquire load that sees the
  // signal makes the data visible. The caller may overwrite the data on return.
  virtual void put_signal(int pe, std::size_t offset, std::span<const std::byte> data,
                          std::size_t signal_offset, std::uint64_t signal) = 0;
  // Puts the signal alone, after the loads of this PE, in no order with puts.
  virtual void put_signal(int pe, std::size_t signal_offset, std::uint64_t signal) = 0;
  // Adds to a word of another PE and returns the old value. (A network may do so without the core
  // of the other PE: a word is changed either by fetch_add and compare_swap, or by its owner.)
  virtual std::uint64_t fetch_add(int pe, std::size_t offset, std::uint64_t value) = 0;
  // Sets a word of another PE to `desired` if the word is `expected`; returns the old value.
  virtual std::uint64_t compare_swap(int pe, std::size_t offset, std::uint64_t expected,
                                     std::uint64_t desired) = 0;
  // Loads a word of another PE; acquires the writes that the owner released by a store to the word.
  virtual std::uint64_t load(int pe, std::size_t offset) = 0;
  // Returns when every earlier put has reached the memory of its target.
  virtual void complete() {}
  // Makes progress on puts from and to this PE, if puts need a PE's help. Called in every poll.
  virtual void progress() {}
  // Gets data from another PE. For the set-up of links only.
  virtual void get(int pe, std::size_t offset, void* into, std::size_t bytes) = 0;
};

// Collective over `world`. `allocate(bytes)` is called once, with the same size on all PEs.
std::unique_ptr<link_set> make_put_links(
    substrate& world, const link_plan& plan,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate);

}  // namespace boxcar::detail
