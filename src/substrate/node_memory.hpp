// Memory shared by all PEs of a node, with a block for each PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace boxcar::detail {

// A mapping of shared memory. Each PE maps the memory at any address; the memory is freed with the
// last PE of the node that has a mapping, also if a PE is killed.
class shared_memory {
 public:
  virtual ~shared_memory() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // Called when all PEs of the node have attached memory of `substrate::share_object_memory`:
  // releases the resources kept open for attaching.
  virtual void seal() {}
};

// A node_memory locates the blocks. A table in front of the blocks has the offset of each block,
// written by the PE of the block: one table for the node instead of one for each PE.
class node_memory {
 public:
  // Returns the bytes of the table in front of the blocks of `pes` PEs.
  static constexpr std::size_t front(int pes) {
    return round_up(static_cast<std::size_t>(pes) * sizeof(std::uint64_t));
  }
  static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  // `block_at`: the offset of this PE's block, behind the table.
  node_memory(std::unique_ptr<shared_memory> memory, int local_rank, std::size_t block_at)
      : memory_(std::move(memory)) {
    places()[local_rank] = block_at;
  }

  // Returns the block of a PE, aligned to 64 bytes. Precondition for another PE of the node: all
  // PEs of the node have synchronised after the allocation.
  [[nodiscard]] std::byte* block(int local_rank) const {
    return memory_->data() + places()[local_rank];
  }
  void seal() const { memory_->seal(); }

 private:
  [[nodiscard]] std::uint64_t* places() const {
    return reinterpret_cast<std::uint64_t*>(memory_->data());
  }

  std::unique_ptr<shared_memory> memory_;
};

}  // namespace boxcar::detail
