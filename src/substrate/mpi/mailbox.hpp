// Mailboxes by messages of two-sided MPI (mailbox.hpp).
//
// A few receives from anybody are posted in advance. Messages are ordinary sends of a size that MPI
// sends at once; every sixteenth to the same PE is a synchronous one, which ends when it has been
// received, and the next such waits for it: so no more than some thirty can lie in the target's MPI
// from each PE.
#pragma once

#include <functional>
#include <memory>
#include <mpi.h>

#include "substrate/mailbox.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `communicator` carries the messages, requests with one tag and replies with the other; PE i of
// the world is rank members[i] in it. Errors must be returned. `on_end(is_over)`: as in links.hpp.
// No PE sends before the mailboxes of all are made.
std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      MPI_Comm communicator, int request_tag, int reply_tag,
                                      std::function<void(bool)> on_end);

}  // namespace boxcar::detail::mpi
