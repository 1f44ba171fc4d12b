// The part of a job that runs on one host: what its `boxcar` is told of it, and tells.
#pragma once

#include <string>
#include <vector>

#include "hosts/message.hpp"

namespace boxcar::hosts {

struct part {
  int pes = 1;
  int first_rank = 0;                    // of its first PE, in the whole job
  int pes_of_job = 1;                    //
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
  int status = 0;            // 0: not because of one of them
  std::string message;       // what to say of it; may be empty
  bool follows = false;      // it seems to follow from what happened on another host
  std::vector<int> running;  // PEs that still ran
  std::string doing;         // what those were doing, if that was asked for
};
message message_of(const ending& what);
ending ending_of(const message& from);  // throws system_error

}  // namespace boxcar::hosts
