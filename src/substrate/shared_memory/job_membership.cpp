#include "substrate/shared_memory/job_membership.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unistd.h>
#include <utility>

#include <boxcar/detail/max_pes.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

std::size_t job_bytes(int pes) {
  return job_block::bytes(pes) + team_block::bytes(pes);
}

void describe_job(std::byte* control, int pes, int nodes) {
  if (pes < 1 || pes > max_pes) {
    throw argument_error("a world of " + std::to_string(pes) +
                         " PEs cannot be started: give a number from 1 to " +
                         std::to_string(max_pes));
  }
  if (nodes < 1 || nodes > pes) {
    throw argument_error(std::to_string(pes) + " PEs cannot be spread over " +
                         std::to_string(nodes) + " nodes: give a number from 1 to " +
                         std::to_string(pes));
  }
  auto* job = reinterpret_cast<job_block*>(control);
  job->magic = job_block::expected_magic;
  job->pes = static_cast<std::uint32_t>(pes);
  job->nodes = static_cast<std::uint32_t>(nodes);
  job->identity =
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

bool fail_job(job_block& job, int rank, const std::string& message) noexcept {
  std::uint32_t nobody = 0;
  if (!job.failed.compare_exchange_strong(nobody, 1, std::memory_order_relaxed)) {
    return job.failed.load(std::memory_order_acquire) == 2 && job.failed_rank == rank;
  }
  job.failed_rank = rank;
  const std::size_t length = std::min(message.size(), job_block::text_bytes - 1);
  std::memcpy(job.failure_text, message.data(), length);
  job.failure_text[length] = '\0';
  // Pairs with the load in check_failure. Sequentially consistent because of the wake-up.
  job.failed.store(2, std::memory_order_seq_cst);
  for (int pe = 0; pe < static_cast<int>(job.pes); ++pe) waiting::wake(job.pe(pe));
  return true;
}

job_membership::job_membership(const char* name_of_substrate, std::unique_ptr<memory_source> source,
                               std::unique_ptr<shared_memory> control, int rank_in_job,
                               const wait_config& around)
    : substrate_name(name_of_substrate),
      memory(std::move(source)),
      bulk(std::make_shared<bulk_room>(*memory)),
      job_memory(std::move(control)),
      job(reinterpret_cast<job_block*>(job_memory->data())),
      rank(rank_in_job),
      pes_on_machine(around.pes_on_machine == 0 ? static_cast<int>(job->pes)
                                                : around.pes_on_machine),
      ranks_in_job(around.ranks_in_job),
      wait(std::make_unique<waiting>(*job, rank, around)),
      world(job->pe(rank).presence.attach()) {}

job_membership::~job_membership() {
  depart();
}

void job_membership::depart() noexcept {
  if (std::exchange(has_departed_, true)) return;
  job->pe(rank).presence.depart(world);
  pid_t own = getpid();
  job->pe(rank).process.compare_exchange_strong(own, pe_block::no_process,
                                                std::memory_order_release);
  for (int pe = 0; pe < static_cast<int>(job->pes); ++pe) waiting::wake(job->pe(pe));
}

bool job_membership::others_departed() const noexcept {
  for (int other = 0; other < static_cast<int>(job->pes); ++other) {
    if (other != rank && !job->pe(other).presence.look().has_left(world)) return false;
  }
  return true;
}

}  // namespace boxcar::detail
