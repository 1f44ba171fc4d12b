#include "launcher/pe_process.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "launcher/pipe.hpp"

namespace boxcar::launcher {
namespace {

// For a child: ends the child with its parent, also if the parent has ended already.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

void empty_standard_input() {
  const descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.number(), STDIN_FILENO);
}

}  // namespace

pe_process start_pe(const std::function<int()>& body, int standard_input) {
  pipe_ends output = make_pipe();
  pipe_ends error = make_pipe();
  do_not_block(output.read);
  do_not_block(error.read);
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    throw system_error(std::string("cannot start a process: ") + std::strerror(errno) +
                       (errno == EAGAIN ? "; raise the limit of processes (ulimit -u)" : ""));
  }
  if (pid == 0) {
    setpgid(0, 0);
    end_with(launcher);
    if (standard_input < 0) {
      empty_standard_input();
    } else if (standard_input != STDIN_FILENO) {
      dup2(standard_input, STDIN_FILENO);
    }
    dup2(output.write.number(), STDOUT_FILENO);
    dup2(error.write.number(), STDERR_FILENO);
    // The descriptors are closed here as well as in `body`, as `body` may not execute a program:
    // readers see the end of the output when the last writer has gone.
    output.write.close();
    error.write.close();
    const int status = body();
    std::fflush(nullptr);
    _exit(status);
  }
  setpgid(pid, pid);  // by parent or child, in any order: from here on, the group can be signalled
  return {pid, std::move(output.read), std::move(error.read)};
}

void pe_process::signal_group(int signal) const {
  // The number of the process is not reused before waitpid.
  if (runs()) kill(-pid, signal);
}

void pe_process::check_end() {
  int status = 0;
  if (runs() && waitpid(pid, &status, WNOHANG) == pid) wait_status = status;
}

void pe_process::kill_and_wait() {
  int status = 0;
  signal_group(SIGKILL);
  if (runs() && waitpid(pid, &status, 0) == pid) wait_status = status;
}

}  // namespace boxcar::launcher
