// Items too large for buffers, between nodes: an item lies in symmetric memory until the other PE
// has got the item.
#pragma once

#include <memory>

#include "substrate/shmem/symmetric_memory.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::shmem {

// Returns nullptr if there is no room beside the existing offers. Throws system_error if there is
// no room and no offer.
std::unique_ptr<bulk_offer> make_offer(std::shared_ptr<symmetric_memory> heap, std::size_t bytes);

std::unique_ptr<bulk_delivery> fetch_offer(const symmetric_memory& heap, int from,
                                           const bulk_ticket& ticket);

}  // namespace boxcar::detail::shmem
