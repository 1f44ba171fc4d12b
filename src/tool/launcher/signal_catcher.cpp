#include "launcher/signal_catcher.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/signalfd.h>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::launcher {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t caught_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGTERM}) sigaddset(&set, signal);
  // The parent process may have made the launcher ignore some signals: nohup does, and so does a
  // shell without job control for background commands.
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTSTP}) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  // The other signals from outside that end an unprepared process end the job under their own
  // names.
  for (const int signal :
       {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT, SIGXCPU}) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

void set_action(int signal, void (*action)(int), struct sigaction& former) {
  struct sigaction wanted {};
  wanted.sa_handler = action;
  sigaction(signal, &wanted, &former);
}

}  // namespace

signal_catcher::signal_catcher() {
  const sigset_t caught = caught_signals();
  arrivals_ = launcher::descriptor(signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!arrivals_.is_open()) {
    throw system_error(std::string("cannot watch for signals: ") + std::strerror(errno));
  }
  sigprocmask(SIG_BLOCK, &caught, &former_mask_);
  // A parent that ignores SIGCHLD bequeaths the setting, and then nobody gets the status of
  // children.
  set_action(SIGCHLD, SIG_DFL, former_child_);
  // A failed write is an error of the call that writes.
  set_action(SIGPIPE, SIG_IGN, former_pipe_);
  set_action(SIGXFSZ, SIG_IGN, former_file_size_);
}

std::optional<int> signal_catcher::next() {
  signalfd_siginfo arrival;
  if (read(arrivals_.number(), &arrival, sizeof arrival) != sizeof arrival) return std::nullopt;
  return static_cast<int>(arrival.ssi_signo);
}

void signal_catcher::restore() {
  sigaction(SIGXFSZ, &former_file_size_, nullptr);
  sigaction(SIGPIPE, &former_pipe_, nullptr);
  sigaction(SIGCHLD, &former_child_, nullptr);
  sigprocmask(SIG_SETMASK, &former_mask_, nullptr);
}

void signal_catcher::stop_here() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);  // while the signal is blocked, so that the signal takes effect in the next line
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace boxcar::launcher
