// The hosts that `boxcar run --hosts` and `--hostfile` name.
#pragma once

#include <string>
#include <vector>

namespace boxcar::hosts {

struct host {
  std::string name;  // as passed to the agent; an IPv6 address without brackets
  int pes;

  bool operator==(const host&) const = default;
};

// Parses "a:4,b:4,user@c,[fe80::1]:2"; a host without a number has one PE. Throws argument_error on
// a syntax error, or if the text names a host twice.
std::vector<host> hosts_from_list(const std::string& text);

// Parses a file with a line for each host: the host's name, and "slots=4" for more than one PE.
// Text after "#" is a comment. Throws argument_error with the number of a wrong line, also if the
// file cannot be read.
std::vector<host> hosts_from_file(const std::string& path);

// Returns a text of the form "a:4,b:4".
std::string to_text(const std::vector<host>& hosts);

}  // namespace boxcar::hosts
