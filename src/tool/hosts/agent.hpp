// What starts a command on another host: ssh, or what the user gives in its place.
#pragma once

#include <functional>
#include <string>

#include "hosts/channel.hpp"
#include "launcher/descriptor.hpp"
#include "launcher/pe_process.hpp"

namespace boxcar::hosts {

// ssh without questions that nobody answers, and without a connection that others would share with
// us and lose with the job.
inline constexpr const char* default_agent = "ssh -x -T -o BatchMode=yes -o ControlMaster=no";

struct started_agent {
  launcher::pe_process process;  // its standard output is part of `talk`
  channel talk;
};

// The agent is a command as for a shell, to which the name of the host and the words of the command
// are appended. It is killed when this thread ends. `prepare` is called in the new process before.
// Throws system_error if the machine refuses.
started_agent start_agent(const std::string& agent, const std::string& host,
                          const std::function<void()>& prepare);

// The command that is started on the hosts: this one, by the same path.
std::string command_on_hosts();

// "`ssh -x ... b`", for messages.
std::string in_words(const std::string& agent, const std::string& host);

}  // namespace boxcar::hosts
