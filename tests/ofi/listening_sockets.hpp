// The sockets opened by the process to receive from other processes.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace boxcar::test {

struct listening_socket {
  std::string address;  // in hexadecimal digits, as the kernel writes it
  int port;
};

// Returns the listening TCP sockets and the UDP sockets, which accept any packet.
std::vector<listening_socket> sockets_that_listen();

// Returns the ports of sockets_that_listen().
std::set<int> ports_that_listen();

}  // namespace boxcar::test
