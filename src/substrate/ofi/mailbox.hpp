// Mailboxes by messages of libfabric (mailbox.hpp).
//
// A mailbox posts a few receives from any source in advance. A PE answers every sixteenth request
// of a peer (answers.hpp), when taking the request. The peer sends at most twice as many requests
// without an answer: so at most 32 unread requests of a peer lie in the provider's memory. Replies
// find room by themselves.
#pragma once

#include <memory>

#include "substrate/mailbox.hpp"
#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/links.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// PE i of the world is PE members[i] of the job. Precondition: no PE sends before all PEs have made
// their mailboxes. Throws system_error.
std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears,
                                      channel_lease requests, channel_lease replies);

}  // namespace boxcar::detail::ofi
