// `boxcar node`: started on this host by the agent of a launcher on another host, to start PEs of
// the launcher's job. The command is not for people.
#pragma once

namespace boxcar::hosts {

// Takes over standard input and output for messages to the launcher. Returns the exit status.
// Throws system_error, above all if the launcher is gone.
int run_node();

}  // namespace boxcar::hosts
