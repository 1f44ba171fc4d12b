// Mailboxes by messages of libfabric (mailbox.hpp).
//
// A few receives from anybody are posted in advance. Of the requests from one PE to another every
// sixteenth is answered (answers.hpp) when it is taken, and no more than twice as many are sent
// before that: so many at most can lie, unread, where the provider keeps them. Replies find room by
// themselves.
#pragma once

#include <memory>

#include "substrate/mailbox.hpp"
#include "substrate/ofi/answers.hpp"
#include "substrate/ofi/links.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

// PE i of the world is PE members[i] of the job. No PE sends before the mailboxes of all are made.
// Throws system_error.
std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears,
                                      channel_lease requests, channel_lease replies);

}  // namespace boxcar::detail::ofi
