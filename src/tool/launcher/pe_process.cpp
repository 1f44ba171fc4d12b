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

namespace boxcar::launcher {
namespace {

struct pipe_ends {
  descriptor read;
  descriptor write;
};

pipe_ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw system_error(std::string("cannot make a pipe: ") + std::strerror(errno) +
                       (errno == EMFILE ? "; raise the limit of open files (ulimit -n)" : ""));
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {descriptor(ends[0]), descriptor(ends[1])};
}

// For a child: to end with its parent, also if that has ended already.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) raise(SIGKILL);
}

void empty_standard_input() {
  const descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.number(), STDIN_FILENO);
}

}  // namespace

pe_process start_pe(const std::function<int()>& body, bool shares_input) {
  pipe_ends output = make_pipe();
  pipe_ends error = make_pipe();
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    throw system_error(std::string("cannot start a process: ") + std::strerror(errno) +
                       (errno == EAGAIN ? "; raise the limit of processes (ulimit -u)" : ""));
  }
  if (pid == 0) {
    setpgid(0, 0);
    end_with(launcher);
    if (!shares_input) empty_standard_input();
    dup2(output.write.number(), STDOUT_FILENO);
    dup2(error.write.number(), STDERR_FILENO);
    // Here as well as in `body`, if that does not execute a program: the end of the output is seen
    // when the last writer has gone.
    output.write.close();
    error.write.close();
    const int status = body();
    std::fflush(nullptr);
    _exit(status);
  }
  setpgid(pid, pid);  // whoever comes first: from here on, its group can be signalled
  return {pid, std::move(output.read), std::move(error.read)};
}

void pe_process::signal_group(int signal) const {
  // Until it has been waited for, nobody else can have its number.
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
