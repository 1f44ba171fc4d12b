// The agent that starts a command on another host: ssh, or the user's replacement.
#pragma once

#include <functional>
#include <string>

#include "hosts/channel.hpp"
#include "launcher/descriptor.hpp"
#include "launcher/pe_process.hpp"

namespace boxcar::hosts {

// ssh without prompts, as nobody answers prompts, and without a shared connection, as other
// programs would use the connection and lose the connection with the job.
inline constexpr const char* default_agent = "ssh -x -T -o BatchMode=yes -o ControlMaster=no";

struct started_agent {
  launcher::pe_process process;  // its standard output is part of `talk`
  channel talk;
};

// Starts the agent, a shell command to which the name of the host and the words of the command are
// appended. The agent is killed when this thread ends. The new process calls `prepare` first.
// Throws system_error if the machine refuses.
started_agent start_agent(const std::string& agent, const std::string& host,
                          const std::function<void()>& prepare);

// Returns the command to start on the hosts: this program, by the same path.
std::string command_on_hosts();

// Returns the agent's command line, for messages: "`ssh -x ... b`".
std::string in_words(const std::string& agent, const std::string& host);

}  // namespace boxcar::hosts
