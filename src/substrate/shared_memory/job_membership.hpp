// The state of a PE in a job whose PEs share memory: once per program, for all worlds of the PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "substrate/rank_list.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/memory_source.hpp"
#include "substrate/shared_memory/shared_bulk.hpp"
#include "substrate/shared_memory/waiting.hpp"

namespace boxcar::detail {

struct job_membership {
  // `control` holds a job_block, followed by a team_block (see `job_bytes`); all bytes are 0 but
  // for the head of the job_block.
  job_membership(const char* name_of_substrate, std::unique_ptr<memory_source> source,
                 std::unique_ptr<shared_memory> control, int rank_in_job,
                 const wait_config& around);
  job_membership(const job_membership&) = delete;
  job_membership& operator=(const job_membership&) = delete;
  ~job_membership();
  void depart() noexcept;
  [[nodiscard]] bool has_departed() const noexcept { return has_departed_; }
  [[nodiscard]] bool others_departed() const noexcept;

  const char* substrate_name;
  std::unique_ptr<memory_source> memory;
  std::shared_ptr<bulk_room> bulk;
  std::unique_ptr<shared_memory> job_memory;
  job_block* job;
  int rank;
  int pes_on_machine;
  rank_list ranks_in_job;  // of the PEs of the job_block
  // The function behind `counterpart` of the substrate, with the rank in the job; or nullptr.
  std::byte* (*find_counterpart)(std::byte* mine, int pe) = nullptr;
  std::unique_ptr<waiting> wait;
  bool ends_with_program = false;  // as substrate::ends_with_program of the world
  const std::uint32_t world;       // number among the worlds of the job: see presence_word

 private:
  bool has_departed_ = false;
};

// Returns the bytes of the control memory of a job.
std::size_t job_bytes(int pes);
// Writes the head of a zeroed job_block. Throws argument_error if the numbers cannot work.
void describe_job(std::byte* control, int pes, int nodes);
// Declares a failure on behalf of a PE. The first failure counts: returns true if this failure is
// the first.
bool fail_job(job_block& job, int rank, const std::string& message) noexcept;

}  // namespace boxcar::detail
