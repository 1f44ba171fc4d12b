// The share of a job that runs on one host, as a message to the host's `boxcar`, and the messages
// of the host about the share.
#pragma once

#include <string>
#include <vector>

#include "hosts/message.hpp"

namespace boxcar::hosts {

struct part {
  int pes = 1;
  int first_rank = 0;                    // of its first PE, in the whole job
  int pes_of_job = 1;                    // of the whole job
  int hosts = 1;                         // of the job
  bool label = false;                    // lines of output
  bool terminal = false;                 // where the launcher's standard error ends
  bool input = false;                    // is passed on to PE 0
  std::string folder;                    // to start the PEs in
  std::vector<std::string> program;      // and its arguments
  std::vector<std::string> environment;  // "NAME=VALUE"
};
message message_of(const part& what);
part part_of(const message& from);  // throws system_error

// The PEs of a host are being ended.
struct ending {
  int status = 0;            // 0: none of these PEs is the reason
  std::string message;       // the message about the end; may be empty
  bool follows = false;      // seems to follow from an event on another host
  std::vector<int> running;  // PEs that still ran
  std::string doing;         // activities of these PEs, on request
};
message message_of(const ending& what);
ending ending_of(const message& from);  // throws system_error

}  // namespace boxcar::hosts
