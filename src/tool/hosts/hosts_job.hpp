// The execution of a job on several hosts: starts the PEs, watches them, and leaves no processes
// behind. The job works like launcher/job.hpp on one host, with a `boxcar` on each host as the
// host's launcher.
//
// An agent, such as ssh, starts the `boxcar` of a host. The standard input and output of the agent
// carry all messages between the launcher and the host: there is no second connection, and so no
// port for a firewall to close, and no secret to keep.
#pragma once

#include "hosts/hosts_job_options.hpp"

namespace boxcar::hosts {

// Runs the program and returns like launcher::run_job; also returns 1, after a message, if a host
// cannot be used, or is lost. The preconditions are the preconditions of launcher::run_job.
int run_job(const hosts_job_options& options);

}  // namespace boxcar::hosts
