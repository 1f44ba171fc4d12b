// `boxcar node`: what the launcher of another host has started here by an agent, to start PEs of
// its job. Not for people.
#pragma once

namespace boxcar::hosts {

// Takes over standard input and output, by which it talks to the launcher. Returns the exit status.
// Throws system_error, above all if the launcher is gone.
int run_node();

}  // namespace boxcar::hosts
