// Items too large for buffers, between PEs of one machine: the receiver reads them where the sender
// has put them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "substrate/shared_memory/memory_source.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

std::unique_ptr<bulk_offer> make_shared_offer(memory_source& memory, std::size_t bytes);

// `taken` is called when the delivery is done with, after the sender can know.
std::unique_ptr<bulk_delivery> take_shared_offer(memory_source& memory, const bulk_ticket& ticket,
                                                 std::function<void()> taken);

}  // namespace boxcar::detail
