// The class symmetric_memory has blocks of symmetric memory, to which other PEs can write.
//
// shmem_malloc and shmem_free are collective over all PEs. But the PEs of a sub-world want memory,
// too, and each PE drops its memory when done. So blocks are cut from large chunks; all PEs
// allocate chunks together, and keep them. A block need not lie at the same place on all PEs; the
// PEs exchange the places of their blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/parts_in_use.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::shmem {

// The place of a block. PEs exchange places as plain bytes.
struct symmetric_place {
  std::uint64_t chunk = 0;
  std::uint64_t offset = 0;
};

// Returns the error that OpenSHMEM's own heap has no room for `bytes` beside the `held` bytes of
// Boxcar. `remedy` is an alternative to a larger heap.
[[nodiscard]] system_error heap_too_small(std::size_t bytes, std::size_t held,
                                          const std::string& remedy);

class symmetric_memory {
 public:
  // Collective over all PEs. Allocates `first_bytes` at once. Throws system_error, the same on all
  // PEs.
  explicit symmetric_memory(std::size_t first_bytes);
  // The chunks stay until OpenSHMEM is finalised.

  // Collective over `world`. Takes a block of the same size on each PE. If there is no room,
  // allocates more memory if `world` has all PEs. Throws system_error, the same on all PEs.
  symmetric_place take(substrate& world, std::size_t bytes);
  // Collective over `world`. Takes a block as `take` does, but at the same place on all PEs.
  symmetric_place take_alike(substrate& world, std::size_t bytes);
  // Local. Returns nullopt if there is no room.
  std::optional<symmetric_place> take(std::size_t bytes);
  void give_back(const symmetric_place& block) noexcept;
  // Gives the block back once its first word has become `writers`: `writers` other PEs add one
  // each.
  void retire(const symmetric_place& block, std::uint64_t writers);

  // Returns the number of bytes that Boxcar holds.
  [[nodiscard]] std::size_t total() const;

  // Publishes a block of this PE to its peers; `lookup` returns the block that a PE publishes.
  // One block at a time.
  void publish(const symmetric_place& block);
  [[nodiscard]] symmetric_place lookup(int pe) const;

  // Returns the address of a block of any PE, in terms of this PE's memory, as OpenSHMEM expects.
  [[nodiscard]] std::byte* address(const symmetric_place& block) const {
    return chunks_[block.chunk].memory + block.offset;
  }

 private:
  struct chunk {
    std::byte* memory;
    parts_in_use blocks;
  };

  struct retired_block {
    symmetric_place place;
    std::uint64_t writers;
  };

  // Gives back retired blocks to which no PE writes any more.
  void reclaim() noexcept;
  std::optional<symmetric_place> find_room(std::size_t bytes);
  // Collective over `world`. Takes a block at the first place that has room on all PEs, unless
  // another world takes the place.
  std::optional<symmetric_place> take_if_alike(substrate& world, std::size_t bytes);
  // Collective over `world`. Allocates more memory, or throws system_error.
  void grow(substrate& world, std::size_t bytes);
  // Collective over all PEs. Returns false, on all PEs, if OpenSHMEM has no room.
  bool add_chunk(std::size_t bytes);
  std::vector<chunk> chunks_;
  std::byte* published_ = nullptr;  // at the same place on all PEs
  std::vector<retired_block> retired_;
};

}  // namespace boxcar::detail::shmem
