// Items too large for buffers travel between nodes as messages of their own, in pieces that MPI can
// count. The sender sends an item together with the ticket, and the receiver receives the item when
// fetching it.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mpi.h>

#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `tag` is the tag in the ticket; the two PEs may use the tag again when the offer is taken.
// `alive` counts the existing offers: make_offer returns nullptr if there is no memory beside other
// offers.
std::unique_ptr<bulk_offer> make_offer(MPI_Comm communicator, int to, int tag, std::size_t bytes,
                                       const std::shared_ptr<std::atomic<std::size_t>>& alive);

// Begins to fetch the item of a ticket.
std::unique_ptr<bulk_delivery> begin_fetch_offer(MPI_Comm communicator, int from,
                                                 const bulk_ticket& ticket);

}  // namespace boxcar::detail::mpi
