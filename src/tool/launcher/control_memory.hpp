// The shared memory through which the PEs of a job find one another, and through which the launcher
// reads their states.
#pragma once

#include <optional>
#include <string>

#include "launcher/descriptor.hpp"
#include "launcher/larger_job.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::launcher {

// Returns a duplicate with a higher number: shell scripts, which may stand between the launcher and
// a PE, use low numbers. Throws system_error.
descriptor above_those_of_scripts(const descriptor& low);

class control_memory {
 public:
  // Precondition: describe_job accepts the numbers. Throws system_error.
  control_memory(int pes, int nodes);

  [[nodiscard]] detail::job_block& job() const;

  // For the forked child that becomes the PE: passes the location of the memory, and the larger job
  // around this job, if any, to the library in the child or in the program that the child executes.
  void hand_to_child(int rank, const larger_job* whole) const;

 private:
  descriptor file_;
  detail::mapping pages_;
};

// A PE's report of the first failure. The report is in job_block, which other programs write, too.
struct told_failure {
  int rank;
  std::string text;
};
std::optional<told_failure> first_failure(const detail::job_block& job);

detail::presence_word::seen presence_of(detail::job_block& job, int rank);
// Returns the current call of a waiting or blocked PE; empty if the PE waits in no collective, and
// not for long in any other call.
std::string waiting_in(detail::job_block& job, int rank);

}  // namespace boxcar::launcher
