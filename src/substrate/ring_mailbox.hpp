// Mailboxes for substrates with one-sided writes. The memory of each PE has a ring of places for
// requests, and all other PEs append to the ring. A sender takes the next place by a fetch-and-add,
// and puts the request there with a signal behind it (one-sided append, "sender managed", in
// small).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "substrate/mailbox.hpp"
#include "substrate/put_links.hpp"

namespace boxcar::detail {

// Collective over `world`. `allocate(bytes)` is called once, with the same size on all PEs. Every
// PE of another node is reachable in the returned memory.
std::unique_ptr<mailbox> make_ring_mailbox(
    substrate& world,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate);

}  // namespace boxcar::detail
