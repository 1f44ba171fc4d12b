// The sockets that this process has opened and that wait for what others send.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace boxcar::test {

struct listening_socket {
  std::string address;  // in hexadecimal digits, as the kernel writes it
  int port;
};

// Those of TCP that listen, and those of UDP, which take what comes.
std::vector<listening_socket> sockets_that_listen();

// Of those that listen.
std::set<int> ports_that_listen();

}  // namespace boxcar::test
