#include "substrate/shared_memory/process_watch.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "substrate/absence.hpp"

namespace boxcar::detail {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);

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
    : own_rank_(own_rank),
      other_(other),
      world_(other.presence.look().world),
      descriptor_(descriptor_of(other.process)) {}

process_watch::~process_watch() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool process_watch::has_ended() const {
  if (descriptor_ < 0) return kill(other_.process, 0) != 0 && errno == ESRCH;
  pollfd process{descriptor_, POLLIN, 0};
  return poll(&process, 1, 0) > 0;
}

const std::string& process_watch::loss(clock::time_point now) {
  if (now < next_look_ || !loss_.empty()) return loss_;
  next_look_ = now + between_looks;
  if (!has_ended()) return loss_;
  if (ended_at_ == clock::time_point()) ended_at_ = now;
  // A PE that has left the world before its end is not lost.
  if (now - ended_at_ >= patience_with_launcher && !other_.presence.look().has_left(world_)) {
    loss_ = unheard_end_text(own_rank_, "PE " + std::to_string(other_.pe));
  }
  return loss_;
}

}  // namespace boxcar::detail
