// Mailboxes by messages of two-sided MPI (mailbox.hpp).
//
// A mailbox posts a few receives from any source in advance. Messages are standard sends of a size
// that MPI sends eagerly. Every sixteenth message to a PE is a synchronous send, which ends when
// the message has been received, and the next synchronous send waits for its end. So no more than
// some thirty messages from a PE can lie in the target's MPI.
#pragma once

#include <functional>
#include <memory>
#include <mpi.h>

#include "substrate/mailbox.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::mpi {

// `communicator` carries the messages, requests with one tag and replies with the other tag. PE i
// of the world is rank members[i] in `communicator`, which must return errors. `on_end(is_over)`:
// as in links.hpp. Precondition: no PE sends before all PEs have made their mailboxes.
std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      MPI_Comm communicator, int request_tag, int reply_tag,
                                      std::function<void(bool)> on_end);

}  // namespace boxcar::detail::mpi
