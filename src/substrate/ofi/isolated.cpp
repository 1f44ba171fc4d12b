#include "substrate/ofi/isolated.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {
namespace {

[[noreturn]] void work_and_end(const std::function<std::string()>& work, int into) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::string said;
  try {
    said = work();
  } catch (const std::exception& e) {
    said = e.what();
  }
  const ssize_t written = write(into, said.data(), said.size());
  _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
}

}  // namespace

std::string isolated(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw system_error(std::string("pipe2 failed: ") + std::strerror(errno));
  }
  const pid_t child = fork();
  if (child == 0) work_and_end(work, ends[1]);
  const int problem = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw system_error(std::string("fork failed: ") + std::strerror(problem));
  }
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + limit;
  std::string said;
  bool hangs = false;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now());
    pollfd more{ends[0], POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : poll(&more, 1, static_cast<int>(left.count()) + 1);
    if (ready < 0 && errno == EINTR) continue;
    hangs = ready == 0;
    std::array<char, 4096> text;
    const ssize_t got = hangs ? 0 : read(ends[0], text.data(), text.size());
    if (got <= 0) break;
    said.append(text.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (hangs) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (hangs) return "hangs";
  if (WIFSIGNALED(status)) return std::string("crashes (") + strsignal(WTERMSIG(status)) + ")";
  if (said.empty()) return "ends the process with status " + std::to_string(WEXITSTATUS(status));
  return said;
}

}  // namespace boxcar::detail::ofi
