// The rendezvous of items too large for buffers, between PEs of one machine: the receiver reads an
// item in the memory of the sender.
//
// Each PE has a chunk of memory for the items it sends, cut into parts, and further chunks as
// needed. Most items therefore cost no system call: the pages exist, and other PEs keep their
// mappings of a chunk. An item too large for a usual chunk has a chunk of its own, which goes with
// the item.
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

  // Returns room for an item; nullptr if there is no room until an offered item is taken. Throws
  // shortage if no item is offered, and system_error.
  std::unique_ptr<bulk_offer> offer(std::size_t bytes);
  // `taken` is called when the delivery is destroyed, after the sender can see the end. Throws
  // memory_gone if the sender has left, and system_error.
  std::unique_ptr<bulk_delivery> fetch(const bulk_ticket& ticket, std::function<void()> taken);
  // Frees all memory kept for later items.
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
  std::size_t offered_ = 0;       // offers that were not destroyed yet
  std::vector<visited> visited_;  // the last visited chunk last
};

}  // namespace boxcar::detail
