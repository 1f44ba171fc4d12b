// Links to other nodes for substrates that can write into the memory of a remote PE and then
// signal it: put with a signal that is seen after the data (conveyors-2019, section 4.3.2,
// "Signaling puts").
//
// The sender fills a private buffer; `send` puts it into one of the link's buffers at the receiver
// and signals its length there. The receiver reads it in place, and puts back how often it has
// read it, by which the sender knows that it is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// One block of memory on each PE, all of the same size, that the other PEs can write to.
class remote_memory {
 public:
  virtual ~remote_memory() = default;
  // This PE's own block, with anything in it at first. Nobody writes to it before the PEs have come
  // together again.
  [[nodiscard]] virtual std::byte* mine() = 0;
  // Writes to the memory of another PE, and then the signal: who polls for it with an acquire load
  // sees the data. They may be overwritten here as soon as this returns.
  virtual void put_signal(int pe, std::size_t offset, std::span<const std::byte> data,
                          std::size_t signal_offset, std::uint64_t signal) = 0;
  // The signal alone, after what this PE has read, in no order with puts.
  virtual void put_signal(int pe, std::size_t signal_offset, std::uint64_t signal) = 0;
  // Adds to a word of another PE and returns what it was. (A network may do so behind the back of
  // that PE's core: so a word is changed either by this and `compare_swap`, or by its owner.)
  virtual std::uint64_t fetch_add(int pe, std::size_t offset, std::uint64_t value) = 0;
  // Such a word becomes `desired` if it is `expected`; returns what it was.
  virtual std::uint64_t compare_swap(int pe, std::size_t offset, std::uint64_t expected,
                                     std::uint64_t desired) = 0;
  // A word of another PE; acquires what its owner released by storing it.
  virtual std::uint64_t load(int pe, std::size_t offset) = 0;
  // Returns when every earlier put has reached the memory of the other PE.
  virtual void complete() {}
  // Lets puts from here and to here go on, where that needs a PE's help. Called in every poll.
  virtual void progress() {}
  // For the set-up of links only.
  virtual void get(int pe, std::size_t offset, void* into, std::size_t bytes) = 0;
};

// Collective over `world`. `allocate(bytes)` is called once, with the same size on all PEs.
std::unique_ptr<link_set> make_put_links(
    substrate& world, const link_plan& plan,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate);

}  // namespace boxcar::detail
