// The memory in which the PEs of a job find one another, and in which the launcher reads how they
// are.
#pragma once

#include <optional>
#include <string>

#include "launcher/descriptor.hpp"
#include "launcher/larger_job.hpp"
#include "substrate/shared_memory/control_block.hpp"
#include "substrate/shared_memory/mapping.hpp"

namespace boxcar::launcher {

// The same by another number: shell scripts, which may stand between the launcher and a PE, use low
// ones. Throws system_error.
descriptor above_those_of_scripts(const descriptor& low);

class control_memory {
 public:
  // The numbers must be such that describe_job accepts them. Throws system_error.
  control_memory(int pes, int nodes);

  [[nodiscard]] detail::job_block& job() const;

  // For the forked child that becomes this PE: tells the library, here or in the program that the
  // child executes, where this memory is, and the larger job that this one is a part of, if any.
  void hand_to_child(int rank, const larger_job* whole) const;

 private:
  descriptor file_;
  detail::mapping pages_;
};

// How a PE told of the first failure: in job_block, which other programs write, too.
struct told_failure {
  int rank;
  std::string text;
};
std::optional<told_failure> first_failure(const detail::job_block& job);

detail::presence_word::seen presence_of(detail::job_block& job, int rank);
// What the PE waits in, or cannot go on in; empty if it does not wait in a collective, or not for
// long in anything else.
std::string waiting_in(detail::job_block& job, int rank);

}  // namespace boxcar::launcher
