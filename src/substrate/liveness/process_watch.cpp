#include "substrate/liveness/process_watch.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace boxcar::detail {
namespace {

// Linux has pidfd_open from 5.3 on.
int descriptor_of(pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  static_cast<void>(process);
  return -1;
#endif
}

}  // namespace

process_watch::process_watch(int own_rank, const member& other)
    : peer_watch(own_rank),
      other_(other),
      world_(other.presence.look().world),
      descriptor_(descriptor_of(other.process)) {}

process_watch::~process_watch() {
  if (descriptor_ >= 0) close(descriptor_);
}

process_watch::finding process_watch::look() {
  if (descriptor_ < 0)
    return {.has_ended = kill(other_.process, 0) != 0 && errno == ESRCH, .why_unreachable = {}};
  pollfd process{descriptor_, POLLIN, 0};
  return {.has_ended = poll(&process, 1, 0) > 0, .why_unreachable = {}};
}

std::string process_watch::name() const {
  return "PE " + std::to_string(other_.pe);
}

bool process_watch::has_left() const {
  return other_.presence.look().has_left(world_);
}

}  // namespace boxcar::detail
