// Mailboxes for substrates that can write into the memory of a remote PE: a ring of places for
// requests in the memory of each PE, which all others append to. Who sends takes the next place by
// a fetching addition, and puts the request there with a signal behind it (one-sided append,
// "sender managed", in small).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "substrate/mailbox.hpp"
#include "substrate/put_links.hpp"

namespace boxcar::detail {

// Collective over `world`. `allocate(bytes)` is called once, with the same size on all PEs; every
// PE of another node can be reached in what it returns.
std::unique_ptr<mailbox> make_ring_mailbox(
    substrate& world,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate);

}  // namespace boxcar::detail
