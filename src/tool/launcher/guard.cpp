#include "launcher/guard.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "basis/printable.hpp"
#include "launcher/descendants.hpp"
#include "launcher/report.hpp"
#include "launcher/signal_catcher.hpp"

namespace boxcar::launcher {
namespace {

int call(const std::function<int()>& body) {
  int status = 1;
  try {
    status = body();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "boxcar run: %s\n", detail::printable(e.what()).c_str());
  }
  std::fflush(nullptr);
  return status;
}

pid_t start_worker(const std::function<int()>& body, signal_catcher& signals) {
  std::fflush(nullptr);
  const pid_t guard = getpid();
  const pid_t worker = fork();
  if (worker < 0) {
    throw system_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  if (worker == 0) {
    signals.restore();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != guard) raise(SIGTERM);
    _exit(call(body));
  }
  return worker;
}

void pass_on(int signal, pid_t worker, signal_catcher& signals) {
  kill(worker, signal);
  if (signal != SIGTSTP) return;
  signals.stop_here();
  kill(worker, SIGCONT);
}

// Returns the status as given by waitpid.
int watch(pid_t worker, signal_catcher& signals, side_work* beside) {
  while (true) {
    std::vector<pollfd> sources{{signals.descriptor(), POLLIN, 0}};
    if (beside != nullptr) beside->watch(sources);
    poll(sources.data(), sources.size(), beside != nullptr ? beside->patience() : -1);
    if (beside != nullptr) beside->turn();
    while (const auto signal = signals.next()) {
      if (*signal != SIGCHLD) pass_on(*signal, worker, signals);
    }
    int status = 0;
    if (waitpid(worker, &status, WNOHANG) == worker) return status;
  }
}

void end_all(const descendants& left) {
  const auto nobody = [](pid_t) { return false; };
  constexpr int milliseconds_between = 5;
  for (auto pids = left.all(); !pids.empty(); pids = left.all()) {
    bool can_end_any = false;
    for (const pid_t pid : pids) can_end_any |= kill(pid, SIGKILL) == 0 || errno != EPERM;
    if (!can_end_any) return;  // the processes of other users, named by the worker
    poll(nullptr, 0, milliseconds_between);
    left.bury_adopted(nobody);
  }
}

}  // namespace

int run_guarded(const std::function<int()>& body, side_work* beside) {
  const descendants all;
  signal_catcher signals;
  const int status = watch(start_worker(body, signals), signals, beside);
  end_all(all);  // no process is left if all went well
  if (WIFSIGNALED(status)) {
    std::fprintf(stderr, "boxcar run: the process that watches the PEs %s\n",
                 describe_end(status).c_str());
  }
  return exit_status_of(status);
}

}  // namespace boxcar::launcher
