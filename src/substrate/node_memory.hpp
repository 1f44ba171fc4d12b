// Memory that all PEs of a node see: a block of each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace boxcar::detail {

// Every PE maps it where it likes; it goes with the last PE of the node that has it, also if a PE
// is killed.
class shared_memory {
 public:
  virtual ~shared_memory() = default;
  [[nodiscard]] virtual std::byte* data() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  // All PEs of the node have attached memory of `substrate::share_object_memory`. Until then, what
  // they need to attach it stays open.
  virtual void seal() {}
};

// Where the blocks lie stands in front of them, written by each PE about its own: once for the node
// and not once for each PE.
class node_memory {
 public:
  // What PEs of a node that ask for blocks of so many bytes need in all.
  static constexpr std::size_t front(int pes) {
    return round_up(static_cast<std::size_t>(pes) * sizeof(std::uint64_t));
  }
  static constexpr std::size_t round_up(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  // `block_at`: where that of this PE begins, behind the front.
  node_memory(std::unique_ptr<shared_memory> memory, int local_rank, std::size_t block_at)
      : memory_(std::move(memory)) {
    places()[local_rank] = block_at;
  }

  // Aligned to 64 bytes. This PE's own; that of another PE of the node once all of them have come
  // together after the allocation.
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
