// Pipes, and sockets like pipes in both directions; closed in executed programs.
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

// Makes reading from the descriptor, or writing to the descriptor, non-blocking.
void do_not_block(const descriptor& end);

}  // namespace boxcar::launcher
