#include "substrate/large_items.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "substrate/liveness/absence.hpp"
#include "substrate/memory_errors.hpp"

namespace boxcar::detail {

std::optional<bulk_ticket> large_items::put_up(int pe, std::span<const std::byte> item) {
  auto offer = world_.offer_bulk(pe, item.size());
  if (offer == nullptr) return std::nullopt;
  any_ = true;
  std::memcpy(offer->data(), item.data(), item.size());
  const bulk_ticket ticket = offer->put_up();
  bytes_ += item.size();
  offers_.push_back(std::move(offer));
  return ticket;
}

void large_items::forget_fetched() {
  std::erase_if(offers_, [this](const std::unique_ptr<bulk_offer>& offer) {
    if (!offer->taken()) return false;
    bytes_ -= offer->bytes();
    return true;
  });
}

std::unique_ptr<bulk_delivery> large_items::fetch(int from, const bulk_ticket& ticket) {
  // No memory is larger; with the room that networks add, sizes do not overflow.
  constexpr std::size_t most = std::size_t{1} << 48;
  if (from < 0 || from >= world_.size() || ticket.bytes > most) {
    const std::string text =
        "PE " + std::to_string(world_.rank()) + ": a message names an item of " +
        std::to_string(ticket.bytes) + " bytes that PE " + std::to_string(from) +
        " is said to have put up, in a world of " + std::to_string(world_.size()) +
        " PEs. This is a fault of Boxcar or of the network: please report it";
    world_.fail(text);
    throw world_error(text);
  }
  any_ = true;
  try {
    return world_.fetch_bulk(from, ticket);
  } catch (const memory_gone&) {
    await_failure_notice(world_);
    const std::string text = "the item that PE " + std::to_string(from) + " had put up for PE " +
                             std::to_string(world_.rank()) +
                             " is gone: that PE has failed, and left the world";
    world_.fail(text);
    throw world_error(text);
  }
}

void large_items::end_session() {
  if (std::exchange(any_, false)) world_.release_bulk();
}

}  // namespace boxcar::detail
