// Blocks of symmetric memory, to which other PEs can write.
//
// shmem_malloc is collective over all PEs, and so is its opposite. But the PEs of a sub-world want
// memory, too, and each drops it when it is done with it. So blocks are cut from large chunks that
// are allocated while all PEs come together, and kept. A block need not lie at the same place on
// all PEs; the PEs tell one another where theirs are.
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

// Travels between PEs as plain bytes.
struct symmetric_place {
  std::uint64_t chunk = 0;
  std::uint64_t offset = 0;
};

// That OpenSHMEM's own heap has no room for `bytes` beside those that Boxcar holds. `remedy` is
// what can be done but make that heap larger.
[[nodiscard]] system_error heap_too_small(std::size_t bytes, std::size_t held,
                                          const std::string& remedy);

class symmetric_memory {
 public:
  // Collective over all PEs. `first_bytes` are allocated at once. Throws system_error, the same on
  // all PEs.
  explicit symmetric_memory(std::size_t first_bytes);
  // The chunks stay until OpenSHMEM is finalised.

  // Collective over `world`: a block of the same size on each of its PEs. If there is no room, more
  // is allocated if the world is that of all PEs. Throws system_error, the same on all PEs.
  symmetric_place take(substrate& world, std::size_t bytes);
  // The same at the same place on all PEs.
  symmetric_place take_alike(substrate& world, std::size_t bytes);
  // Local; nothing if there is no room.
  std::optional<symmetric_place> take(std::size_t bytes);
  void give_back(const symmetric_place& block) noexcept;
  // Gives it back once its first word has become `writers`, which so many other PEs add one to.
  void retire(const symmetric_place& block, std::uint64_t writers);

  // All that Boxcar holds.
  [[nodiscard]] std::size_t total() const;

  // A block of this PE that its peers shall find, and that which a PE shows them. One at a time.
  void show(const symmetric_place& block);
  [[nodiscard]] symmetric_place shown_by(int pe) const;

  // Where a block of any PE lies, in terms of this PE's memory, as OpenSHMEM wants to be told.
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

  // Gives back those retired blocks to which nobody writes any more.
  void reclaim() noexcept;
  std::optional<symmetric_place> find_room(std::size_t bytes);
  // Collective over `world`. Takes a block at the first place, the same on all PEs, that has room
  // on each, unless another world takes it.
  std::optional<symmetric_place> take_if_alike(substrate& world, std::size_t bytes);
  // Collective over `world`: it has to become more.
  void grow(substrate& world, std::size_t bytes);
  // Collective over all PEs; false, on all, if OpenSHMEM has no room.
  bool add_chunk(std::size_t bytes);
  std::vector<chunk> chunks_;
  std::byte* shown_ = nullptr;  // at the same place on all PEs
  std::vector<retired_block> retired_;
};

}  // namespace boxcar::detail::shmem
