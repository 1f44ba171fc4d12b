// Items too large for buffers, between PEs of one machine: the receiver reads them where the sender
// has put them.
//
// Each PE has room for those that it sends: a chunk of memory, cut into parts, and further ones as
// they are needed. So most items cost no call of the system: pages are there, and those who have
// mapped a chunk keep the mapping. A chunk of an item that is larger than a chunk should have is
// its own, and goes with it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "substrate/shared_memory/memory_source.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class bulk_room : public std::enable_shared_from_this<bulk_room> {
 public:
  explicit bulk_room(memory_source& memory) : memory_(memory) {}
  bulk_room(const bulk_room&) = delete;
  bulk_room& operator=(const bulk_room&) = delete;
  ~bulk_room();

  // nullptr: there is no room until something that has been put up is taken. Throws shortage if
  // nothing is put up, and system_error.
  std::unique_ptr<bulk_offer> offer(std::size_t bytes);
  // `taken` is called when the delivery is done with, after the sender can know. Throws memory_gone
  // if the sender has left, and system_error.
  std::unique_ptr<bulk_delivery> fetch(const bulk_ticket& ticket, std::function<void()> taken);
  // Nothing is kept for what may come.
  void release() noexcept;

 private:
  class chunk;
  class offer_in_chunk;
  // A chunk of another PE.
  struct visited {
    memory_handle handle;
    std::shared_ptr<shared_memory> memory;
  };

  std::shared_ptr<chunk> chunk_with_room(std::size_t bytes);
  void drop_unused_chunks(int most) noexcept;
  std::shared_ptr<shared_memory> visit(memory_handle handle, std::size_t bytes);

  memory_source& memory_;
  std::vector<std::shared_ptr<chunk>> chunks_;
  std::size_t offered_ = 0;       // and not yet taken
  std::vector<visited> visited_;  // what was visited last behind
};

}  // namespace boxcar::detail
