// Links by messages of libfabric into posted buffers.
//
// Each outgoing link has send buffers and as many credits. A send consumes a credit, and the
// receiver returns the credit by an answer (answers.hpp) after processing the message. So the
// messages of a link that are in flight or unread never exceed the link's buffers. The receiver has
// room for the messages of all its links, which the memory account includes: however many PEs send
// at once, no message is refused. A few receives from any source are posted at a time; messages
// that come while none is posted, never more than the credits allow, wait in the provider's memory.
//
// Messages of one sender are matched in the order of sending, but may complete in another order. So
// the links order the received buffers (cluster/arrival_order.hpp).
#pragma once

#include <functional>
#include <memory>

#include "substrate/ofi/answers.hpp"
#include "substrate/rank_list.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail::ofi {

struct channel_lease {
  channel number;
  // Ends the lease. The channel can be reused if `is_over`; otherwise the provider may still take
  // messages for the closed object.
  std::function<void(bool is_over)> on_end;
};

// PE i of the plan's world is PE members[i] of the job. Throws system_error.
std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, std::shared_ptr<endpoint> at,
                                     std::shared_ptr<answers> hears, channel_lease lease);

}  // namespace boxcar::detail::ofi
