// The memory of small objects: many objects of a world share a mapping. A process may have 65,530
// maps (vm.max_map_count), and a program may make more schedules or counters than that.
//
// The first PE of a node places all objects of the node in chunks. The room of an object is free
// when all PEs of the node have dropped the object. A search for room begins behind the object that
// was placed last (next fit). If the search finds no room, the next chunk begins; a chunk is
// unmapped with its last object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

// The pool of one PE, for the objects of one world. Not thread-safe; the objects may be dropped by
// any thread, and after the pool.
class object_pool {
 public:
  // The maximum size of an object; 0 with AddressSanitizer, which detects late accesses by their
  // unmapped pages.
  static const std::size_t max_bytes;

  struct place {
    memory_handle chunk;
    std::uint64_t chunk_number = 0;
    std::uint64_t chunk_bytes = 0;
    std::uint64_t at = 0;
  };

  explicit object_pool(memory_source& memory);

  // On the first PE of a node: returns a place for an object of `bytes` bytes that `users` PEs will
  // access. The memory there is zeroed. Throws shortage, system_error.
  [[nodiscard]] place reserve(std::size_t bytes, int users);
  // On each PE of the node, once for each place: returns the memory at the place. `seal` closes the
  // files of the chunk. Throws as memory_source::attach.
  [[nodiscard]] std::unique_ptr<shared_memory> attach(const place& where, std::size_t bytes);

 private:
  class pooled_memory;
  struct placed_object {
    std::size_t end;
    std::uint32_t users;
  };
  using objects_by_place = std::map<std::size_t, placed_object>;

  [[nodiscard]] bool is_dropped(const objects_by_place::value_type& o) const;
  // Returns where `bytes` bytes are free in the chunk, or `nowhere`. Forgets dropped objects.
  [[nodiscard]] std::size_t free_room(std::size_t bytes);
  void begin_chunk(std::size_t bytes);

  memory_source& memory_;
  std::shared_ptr<shared_memory> chunk_;  // the newest
  std::uint64_t number_ = 0;              // of the newest chunk
  // On the first PE of the node:
  memory_handle handle_;           // of the newest chunk
  objects_by_place objects_;       // in the newest chunk; some may have been dropped
  std::size_t behind_newest_ = 0;  // the end of the object that was placed last
  std::size_t used_ = 0;           // the bytes of the newest chunk that were ever an object's
  std::size_t next_chunk_bytes_;
};

}  // namespace boxcar::detail
