// The rendezvous of items too large for buffers: a conveyor or stream puts an item up, and the
// receiver fetches the item.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The large items of a conveyor or stream. The items put up by this PE and not yet fetched are
// bounded: in bytes because they take memory, in number because each item is polled again and
// again.
class large_items {
 public:
  static constexpr std::size_t most_offered = 64;

  // At most `most_bytes` of items wait to be fetched, or a single item.
  large_items(substrate& world, std::size_t most_bytes) : world_(world), most_bytes_(most_bytes) {}

  // Returns true if the bounds allow another item of `bytes` bytes now.
  [[nodiscard]] bool may_put_up(std::size_t bytes) const {
    return offers_.empty() || (offers_.size() < most_offered && bytes_ + bytes <= most_bytes_);
  }
  // Copies the item to memory accessible to `pe`. Returns nothing if there is no room until other
  // items have been fetched. Throws system_error if there will never be room.
  std::optional<bulk_ticket> put_up(int pe, std::span<const std::byte> item);
  void forget_fetched();
  // Fetches an item that the PE `from` has put up. Throws world_error if `from` has failed,
  // otherwise system_error.
  std::unique_ptr<bulk_delivery> fetch(int from, const bulk_ticket& ticket);
  // Ends the session. Precondition: all items have been fetched.
  void end_session();

  [[nodiscard]] bool all_fetched() const { return offers_.empty(); }
  // Returns the bytes of the items that wait to be fetched.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  substrate& world_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<bulk_offer>> offers_;
  bool any_ = false;  // in this session
};

}  // namespace boxcar::detail
