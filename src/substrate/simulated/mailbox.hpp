// Mailboxes between the nodes of a simulated machine.
#pragma once

#include <memory>

#include "substrate/mailbox.hpp"

namespace boxcar::detail {

class simulated_substrate;

// Collective over `world`.
std::shared_ptr<mailbox> make_simulated_mailbox(simulated_substrate& world);

}  // namespace boxcar::detail
