// Items too large for buffers: how conveyors and streams put them up, and fetch them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Those of one conveyor or stream. What this PE has put up and others have not yet fetched is
// bounded, in bytes because it takes memory, in number because each is looked at again and again.
class large_items {
 public:
  static constexpr std::size_t most_offered = 64;

  // No more than so many bytes wait, or a single item.
  large_items(substrate& world, std::size_t most_bytes) : world_(world), most_bytes_(most_bytes) {}

  // Whether the bounds allow another one now.
  [[nodiscard]] bool may_put_up(std::size_t bytes) const {
    return offers_.empty() || (offers_.size() < most_offered && bytes_ + bytes <= most_bytes_);
  }
  // Copies the item to where `pe` can fetch it. Nothing, if there is no room until others have been
  // fetched. Throws system_error if there never will be.
  std::optional<bulk_ticket> put_up(int pe, std::span<const std::byte> item);
  void forget_fetched();
  // Fetches what the PE `from` has put up. Throws world_error if that PE has failed, else
  // system_error.
  std::unique_ptr<bulk_delivery> fetch(int from, const bulk_ticket& ticket);
  // The session is over, and everything has been fetched.
  void end_session();

  [[nodiscard]] bool all_fetched() const { return offers_.empty(); }
  // That wait to be fetched.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  substrate& world_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<bulk_offer>> offers_;
  bool any_ = false;  // in this session
};

}  // namespace boxcar::detail
