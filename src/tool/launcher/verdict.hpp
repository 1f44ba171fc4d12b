// Which PE is to blame when a job fails.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "launcher/pe_process.hpp"
#include "launcher/standard_streams.hpp"
#include "substrate/shared_memory/control_block.hpp"

namespace boxcar::launcher {

// How a job ends.
struct verdict {
  int status = 0;
  std::string message = "";  // empty: there is nothing to say
  // Those that are ended though they are not to blame, if it is to be told; ranks among `pes`.
  std::vector<int> others = {};
  // Who is blamed has failed, it seems, because a PE of another host has.
  bool follows_from_others = false;
};

// The launcher was asked to end by this signal, or the time was up.
verdict ended_by(int signal);
verdict out_of_time(std::chrono::nanoseconds limit);
// Nothing, if what the PEs print can be written. Who reads it may go without a word.
std::optional<verdict> blame_output(const standard_streams::failure& what);

// As people write them.
std::string seconds_of(std::chrono::nanoseconds duration);

// Here `pes` are in rank order.

// Has any PE ended otherwise than with status 0 and out of the world?
bool has_failed(const std::vector<pe_process>& pes, detail::job_block& job);

// Has a PE told that it failed, but not ended yet? Then the others may have failed because of it,
// and it should be given a moment.
bool culprit_still_runs(const std::vector<pe_process>& pes, const detail::job_block& job);

// To be called when some PE has failed: blames the one that failed first.
verdict blame(const std::vector<pe_process>& pes, detail::job_block& job);

// The PEs that have ended well and never joined the world. That is an error if others wait for them
// there.
// Those that have ended well, but never came to the world in which the others are or were last.
std::vector<int> absent(const std::vector<pe_process>& pes, detail::job_block& job);
std::optional<verdict> blame_absent(const std::vector<pe_process>& pes, detail::job_block& job);

// The PEs that run.
std::vector<int> running(const std::vector<pe_process>& pes);

}  // namespace boxcar::launcher
