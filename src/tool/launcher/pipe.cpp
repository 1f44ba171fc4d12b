#include "launcher/pipe.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::launcher {
namespace {

void check(int result) {
  if (result == 0) return;
  throw system_error(std::string("cannot make a pipe: ") + std::strerror(errno) +
                     (errno == EMFILE ? "; raise the limit of open files (ulimit -n)" : ""));
}

}  // namespace

pipe_ends make_pipe() {
  int ends[2];
  check(pipe2(ends, O_CLOEXEC));
  return {descriptor(ends[0]), descriptor(ends[1])};
}

socket_ends make_sockets() {
  int ends[2];
  check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  return {descriptor(ends[0]), descriptor(ends[1])};
}

void do_not_block(const descriptor& end) {
  fcntl(end.number(), F_SETFL, fcntl(end.number(), F_GETFL) | O_NONBLOCK);
}

}  // namespace boxcar::launcher
