#include "substrate/ofi/runtime.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "substrate/cluster/draining_networks.hpp"
#include "substrate/cluster/exit_watch.hpp"
#include "substrate/liveness/abort_grace.hpp"
#include "substrate/ofi/ofi_network.hpp"

namespace boxcar::detail::ofi {
namespace {

std::atomic<bool> over = false;
bootstrap* job_of_process = nullptr;
pid_t member = 0;  // and not what it has forked

void finish(int status, void*) {
  if (!is_running() || getpid() != member) return;
  const bool is_in_world = is_inside_a_world();
  if (status == 0) {
    depart_from_all_worlds();
    draining_networks::wait_for_others();
    finish_words();
  } else {
    job_of_process->tell_launcher();
    wait_abort_grace();
  }
  over.store(true, std::memory_order_relaxed);  // the same thread reads it, or one that follows
  job_of_process->end(status, is_in_world);
}

}  // namespace

void watch_end(bootstrap& job) {
  static std::once_flag watching;
  std::call_once(watching, [&job] {
    job_of_process = &job;
    member = getpid();
    on_exit(finish, nullptr);
  });
}

bool is_running() noexcept {
  return !over.load(std::memory_order_relaxed);
}

void require_running() {
  if (is_running()) return;
  throw contract_error(
      "the program is at its end: use worlds before it exits, and let them and what was made with "
      "them be destroyed before it");
}

}  // namespace boxcar::detail::ofi
