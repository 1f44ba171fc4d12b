// Pipes, and sockets that are like pipes in both directions; closed in programs that are executed.
#pragma once

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

struct pipe_ends {
  descriptor read;
  descriptor write;
};
// Throws system_error.
pipe_ends make_pipe();

struct socket_ends {
  descriptor one;
  descriptor other;
};
// Throws system_error.
socket_ends make_sockets();

// Reading from it, or writing to it, no longer waits.
void do_not_block(const descriptor& end);

}  // namespace boxcar::launcher
