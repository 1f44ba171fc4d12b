// Items too large for buffers, between nodes: messages of their own, in pieces that MPI can count.
// They are sent when the ticket is, and received when the item is fetched.
#pragma once

#include <functional>
#include <memory>
#include <mpi.h>

#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `tag` is what the ticket will say; the two PEs may use it again when the offer is taken. `alive`
// counts the offers that there are: if there is no memory beside them, this returns nullptr.
std::unique_ptr<bulk_offer> make_offer(MPI_Comm communicator, int to, int tag, std::size_t bytes,
                                       const std::shared_ptr<std::size_t>& alive);

// Calls `wait` while the transfer makes no progress.
std::unique_ptr<bulk_delivery> fetch_offer(MPI_Comm communicator, int from,
                                           const bulk_ticket& ticket,
                                           const std::function<void()>& wait);

}  // namespace boxcar::detail::mpi
