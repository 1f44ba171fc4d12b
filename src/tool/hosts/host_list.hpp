// The hosts that `boxcar run --hosts` and `--hostfile` name.
#pragma once

#include <string>
#include <vector>

namespace boxcar::hosts {

struct host {
  std::string name;  // as the agent is given it; an IPv6 address without brackets
  int pes;

  bool operator==(const host&) const = default;
};

// "a:4,b:4,user@c,[fe80::1]:2"; without a number it is one PE. Throws argument_error if that is
// something else, or names a host twice.
std::vector<host> hosts_from_list(const std::string& text);

// A line for each host: its name, and "slots=4" if it is more than one PE. What follows "#" is a
// remark. Throws argument_error with the number of the line that is something else, also if the
// file cannot be read.
std::vector<host> hosts_from_file(const std::string& path);

// "a:4,b:4"
std::string to_text(const std::vector<host>& hosts);

}  // namespace boxcar::hosts
