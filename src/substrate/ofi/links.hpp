// Links by messages of libfabric into posted buffers.
//
// Each outgoing link has its buffers, from which sends go, and as many permits as buffers: a buffer
// takes one with it, and the receiver gives it back, as an answer (answers.hpp), when it is done
// with what arrived. So of one link no more is ever under way, or unread, than its buffers hold,
// and a receiver has room for what all its links can bring, which is in the memory account: nobody
// has to be refused, however many send at once. Receives are for messages from anybody, and few of
// them are posted at a time; what comes while none is, which never is more than the permits allow,
// waits where the provider keeps it.
//
// Messages of one sender are matched in the order in which they were sent, but need not end in it.
// So buffers are numbered, as in mpi/links.hpp: one that has overtaken others of its link waits.
#pragma once

#include <functional>
#include <memory>

#include "substrate/ofi/answers.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

struct channel_lease {
  channel number;
  // It can be used again, if `is_over`: else the provider may yet take messages for who is gone.
  std::function<void(bool is_over)> on_end;
};

// PE i of the plan's world is PE members[i] of the job. Throws system_error.
std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, std::shared_ptr<endpoint> at,
                                     std::shared_ptr<answers> hears, channel_lease lease);

}  // namespace boxcar::detail::ofi
