// Links by messages of two-sided MPI (conveyors-2019, section 4.3.2, "MPI porters").
//
// Each outgoing link has its buffers, from which non-blocking sends go. Receives are posted in
// advance, for messages from anybody, into a pool of buffers whose number does not grow with the
// number of links; a buffer is read in place, and posted again when it is given back. While no
// buffer is posted, senders are held up by MPI: sends are synchronous, so that they end when the
// receiver has taken the message, and no more lies in MPI than the links have buffers.
//
// Messages from one PE are matched in the order in which they were sent, but what was matched first
// need not end first, least of all if the others come from other PEs: one that computes must not
// hold up what all others send. So all receives are tested, in one call, and buffers are numbered:
// one that has overtaken others of its link waits for them.
#pragma once

#include <memory>
#include <mpi.h>

#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `communicator` carries the messages, told from those of other link sets by `tag`; PE i of the
// plan's world is rank members[i] in it. Errors must be returned. `on_end(is_over)` says whether
// the tag can be used again: else MPI may yet take messages for links that are gone.
std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, MPI_Comm communicator, int tag,
                                     std::function<void(bool)> on_end);

}  // namespace boxcar::detail::mpi
