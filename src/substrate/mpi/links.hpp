// Links by messages of two-sided MPI (conveyors-2019, section 4.3.2, "MPI porters").
//
// Each outgoing link has send buffers for non-blocking sends. Receives from any source are posted
// in advance, into a pool of buffers whose number does not grow with the number of links; a buffer
// is read in place, and posted again when given back. While no buffer is posted, MPI holds up
// senders: sends are synchronous, and end when the receiver has taken the message, so that MPI
// never holds more messages than the links have buffers.
//
// Messages from one PE are matched in the order of sending, but need not end in the order of
// matching, in particular when messages of other PEs lie between: a sender that computes must not
// hold up the messages of all other senders. So one call tests all receives, and the links order
// the received buffers (cluster/arrival_order.hpp).
#pragma once

#include <memory>
#include <mpi.h>

#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `communicator` carries the messages, and `tag` separates the messages from other link sets. PE i
// of the plan's world is rank members[i] in `communicator`, which must return errors.
// `on_end(is_over)` says whether the tag can be used again: otherwise MPI may still take messages
// for links that are gone.
std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, MPI_Comm communicator, int tag,
                                     std::function<void(bool)> on_end);

}  // namespace boxcar::detail::mpi
