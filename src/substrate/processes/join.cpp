#include "substrate/processes/join.hpp"

#include <cstdio>
#include <memory>
#include <mutex>
#include <signal.h>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/processes/pe_claim.hpp"
#include "substrate/processes/process_memory.hpp"
#include "substrate/progress_preference.hpp"
#include "substrate/shared_memory/mapping.hpp"
#include "substrate/shared_memory/shared_memory_substrate.hpp"

namespace boxcar::detail {
namespace {

class control_memory final : public shared_memory {
 public:
  explicit control_memory(mapping pages) : pages_(std::move(pages)) {}
  [[nodiscard]] std::byte* data() const override { return pages_.data(); }
  [[nodiscard]] std::size_t bytes() const override { return pages_.bytes(); }

 private:
  mapping pages_;
};

// The kernel signals the end of the parent thread, whether or not the parent process ends.
constexpr int signal_of_parents_end = 2;  // below the last real-time signal

// The parent of this process; written before the signal can arrive.
pid_t parent = 0;

void end_if_orphaned(int) {
  if (getppid() != parent) kill(getpid(), SIGKILL);
}

// A PE started by a script or a tool dies with its parent, as the parent dies with the launcher.
void end_with_parent() {
  const int signal = SIGRTMAX - signal_of_parents_end;
  parent = getppid();
  struct sigaction action {};
  action.sa_handler = end_if_orphaned;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, signal);
}

// Standard output is a pipe to the launcher, and would be buffered like a file. With line buffering
// each line is visible when printed, and no line is lost if the PE is killed.
void print_line_by_line() {
  struct stat status {};
  if (fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode)) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
  }
}

// The latest membership of this process, or of its parent after a fork.
struct latest_membership {
  std::mutex guard;  // other threads may try
  std::weak_ptr<job_membership> member;
  pid_t process = 0;

  // Never destroyed: objects with static storage may join at the very end.
  static latest_membership& instance() {
    static auto* const only = new latest_membership;
    return *only;
  }
};

// Returns the result of `make`. Throws contract_error if this process is a member already: a
// process is one PE.
template <typename Make>
std::shared_ptr<job_membership> become_member(const Make& make) {
  latest_membership& latest = latest_membership::instance();
  const std::lock_guard lock(latest.guard);
  if (const auto member = latest.member.lock()) {
    if (latest.process != getpid()) {
      throw contract_error(
          "joining the world in process " + std::to_string(getpid()) + ", which PE " +
          std::to_string(member->rank) + ", process " + std::to_string(latest.process) +
          ", has forked: a forked child is no PE; let it start another program by `env -u "
          "BOXCAR_JOB`, or end it by _exit without using Boxcar");
    }
    throw contract_error(
        "this process is a PE already, by another call of run or join: let the thread of that call "
        "make use of Boxcar, and let nothing that an earlier run has made live longer");
  }
  std::shared_ptr<job_membership> mine = make();
  latest.member = mine;
  latest.process = getpid();
  return mine;
}

}  // namespace

std::unique_ptr<substrate> join_processes(const launched_process& process) {
  end_with_parent();
  print_line_by_line();
  struct stat status {};
  const bool open = fstat(process.control_descriptor, &status) == 0;
  const auto bytes = static_cast<std::size_t>(open ? status.st_size : 0);
  if (bytes >= sizeof(job_block) && is_nameless_file(process.control_descriptor)) {
    mapping pages = mapping::of_file(process.control_descriptor, bytes);
    auto* const job = reinterpret_cast<job_block*>(pages.data());
    const int pes = static_cast<int>(job->pes);
    if (job->magic == job_block::expected_magic && bytes >= job_bytes(pes) && process.rank >= 0 &&
        static_cast<std::uint32_t>(process.rank) < job->pes) {
      const int first_rank = process.hosts ? process.hosts->first_rank : 0;
      const auto stall_after = stall_time_from_environment();
      auto world = join_job(become_member([&] {
        claim_pe(job->pe(process.rank), first_rank + process.rank);
        return std::make_shared<job_membership>(
            "processes", make_process_memory(), std::make_unique<control_memory>(std::move(pages)),
            process.rank, wait_config{.pes_on_cores = pes, .stall_after = stall_after});
      }));
      if (wish_of_join() != progress_wish::no_thread) world->get_progress_thread();
      return world;
    }
  }
  throw system_error(
      "descriptor " + std::to_string(process.control_descriptor) +
      " does not lead to the memory of `boxcar run`: a program between the launcher and this one "
      "has closed it, or the two are of different versions");
}

}  // namespace boxcar::detail
