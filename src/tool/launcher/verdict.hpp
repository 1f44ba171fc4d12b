// The search for the PE to blame when a job fails.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "launcher/pe_process.hpp"
#include "launcher/standard_streams.hpp"
#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::launcher {

// The end of a job.
struct verdict {
  int status = 0;
  std::string message = "";  // empty: no message
  // The PEs ended without blame, if the message is to name them; ranks among `pes`.
  std::vector<int> others = {};
  // The blamed PE has failed, it seems, because a PE of another host has failed.
  bool follows_from_others = false;
};

// Return the verdict after a signal asked the launcher to end, or after the time was up.
verdict ended_by(int signal);
verdict out_of_time(std::chrono::nanoseconds limit);
// Returns nothing if the output of the PEs can be written. A reader may close the output without a
// message.
std::optional<verdict> blame_output(const standard_streams::failure& what);

// Returns the duration in seconds, as a text for people.
std::string seconds_of(std::chrono::nanoseconds duration);

// For the following functions, `pes` are in rank order.

// Returns whether any PE has ended otherwise than with status 0 and out of the world.
bool has_failed(const std::vector<pe_process>& pes, detail::job_block& job);

// Returns whether a PE has reported its failure, but not ended yet. Other PEs may have failed as a
// consequence, so the reporting PE should get a moment to end.
bool culprit_still_runs(const std::vector<pe_process>& pes, const detail::job_block& job);

// Blames the PE that failed first. Precondition: some PE has failed.
verdict blame(const std::vector<pe_process>& pes, detail::job_block& job);

// Return the PEs that have ended well without joining the newest world of the job, and the error if
// other PEs wait there.
std::vector<int> absent(const std::vector<pe_process>& pes, detail::job_block& job);
std::optional<verdict> blame_absent(const std::vector<pe_process>& pes, detail::job_block& job);

// Returns the PEs that run.
std::vector<int> running(const std::vector<pe_process>& pes);

}  // namespace boxcar::launcher
