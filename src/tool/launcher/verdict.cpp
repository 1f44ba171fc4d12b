#include "launcher/verdict.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>

#include "launcher/control_memory.hpp"
#include "launcher/report.hpp"

namespace boxcar::launcher {
namespace {

using detail::attendance;

const pe_process& at(const std::vector<pe_process>& pes, int rank) {
  return pes[static_cast<std::size_t>(rank)];
}

template <typename Predicate>
std::vector<int> ranks_of(const std::vector<pe_process>& pes, Predicate predicate) {
  std::vector<int> ranks;
  for (int rank = 0; rank < static_cast<int>(pes.size()); ++rank) {
    if (predicate(rank, at(pes, rank))) ranks.push_back(rank);
  }
  return ranks;
}

bool exited_with_zero(const pe_process& pe) {
  return !pe.runs() && exit_status_of(*pe.wait_status) == 0;
}

std::vector<int> failed(const std::vector<pe_process>& pes, detail::job_block& job) {
  return ranks_of(pes, [&](int rank, const pe_process& pe) {
    return !pe.runs() &&
           (!exited_with_zero(pe) || presence_of(job, rank).there == attendance::attached);
  });
}

// Returns the names of the PEs in the whole job.
std::string names(const std::vector<pe_process>& pes, const std::vector<int>& ranks) {
  return name_pes(ranks, pes.front().rank);
}

verdict blame_ended(const std::vector<pe_process>& pes, int rank) {
  const pe_process& pe = at(pes, rank);
  const std::string who = names(pes, {rank}) + " ";
  if (!exited_with_zero(pe)) {
    return {exit_status_of(*pe.wait_status), who + describe_end(*pe.wait_status), running(pes)};
  }
  return {1,
          who +
              "exited with status 0 without leaving the world, whose other PEs may need it; "
              "return from the function that boxcar::run called instead of calling exit",
          running(pes)};
}

}  // namespace

verdict ended_by(int signal) {
  return {128 + signal, "ended by " + describe_signal(signal)};
}

verdict out_of_time(std::chrono::nanoseconds limit) {
  constexpr int as_timeout_1 = 124;
  return {as_timeout_1, "ended because not finished after " + seconds_of(limit) + " seconds"};
}

std::optional<verdict> blame_output(const standard_streams::failure& what) {
  if (what.error == 0) return std::nullopt;
  if (what.error == EPIPE) return verdict{128 + SIGPIPE};
  return verdict{1,
                 std::string("cannot write to ") + what.where + ": " + std::strerror(what.error) +
                     (what.error == EFBIG ? " (SIGXFSZ); allow larger files by `ulimit -f`" : "")};
}

std::string seconds_of(std::chrono::nanoseconds duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::chrono::duration<double>(duration).count());
  return text;
}

bool has_failed(const std::vector<pe_process>& pes, detail::job_block& job) {
  return !failed(pes, job).empty();
}

bool culprit_still_runs(const std::vector<pe_process>& pes, const detail::job_block& job) {
  const auto told = first_failure(job);
  return told && at(pes, told->rank).runs();
}

verdict blame(const std::vector<pe_process>& pes, detail::job_block& job) {
  const std::vector<int> candidates = failed(pes, job);
  // Without a report, a killed PE is the likely culprit: the signal comes from outside, while a
  // status may be a consequence.
  const auto killed = std::find_if(candidates.begin(), candidates.end(), [&](int rank) {
    return WIFSIGNALED(*at(pes, rank).wait_status);
  });
  const int likely = killed != candidates.end() ? *killed : candidates.front();

  const auto told = first_failure(job);
  if (!told) {
    verdict found = blame_ended(pes, likely);
    // A PE informed of a failure on another host sets failed_elsewhere before the PE can fail as a
    // consequence.
    found.follows_from_others =
        killed == candidates.end() && job.failed_elsewhere.load(std::memory_order_acquire) != 0;
    return found;
  }
  if (presence_of(job, told->rank).there == attendance::absent) {
    // The PE did not get as far as to report the failure itself.
    return {exit_status_of(*at(pes, likely).wait_status), told->text};
  }
  if (std::binary_search(candidates.begin(), candidates.end(), told->rank)) {
    return blame_ended(pes, told->rank);
  }
  return {std::max(1, exit_status_of(*at(pes, likely).wait_status)),
          names(pes, {told->rank}) + " failed first: " + told->text, running(pes)};
}

std::vector<int> absent(const std::vector<pe_process>& pes, detail::job_block& job) {
  std::uint32_t newest = 1;
  for (int rank = 0; rank < static_cast<int>(pes.size()); ++rank) {
    newest = std::max(newest, presence_of(job, rank).world);
  }
  return ranks_of(pes, [&](int rank, const pe_process& pe) {
    return exited_with_zero(pe) && presence_of(job, rank).world < newest;
  });
}

std::optional<verdict> blame_absent(const std::vector<pe_process>& pes, detail::job_block& job) {
  const std::vector<int> missing = absent(pes, job);
  if (missing.empty()) return std::nullopt;
  const std::vector<int> waiting = ranks_of(pes, [&](int rank, const pe_process& pe) {
    return pe.runs() && !waiting_in(job, rank).empty();
  });
  if (waiting.empty()) return std::nullopt;
  return verdict{1,
                 names(pes, missing) + " exited with status 0 without joining the world, while " +
                     names(pes, waiting) +
                     " waited there; every PE must call boxcar::run, and as often as the others",
                 running(pes)};
}

std::vector<int> running(const std::vector<pe_process>& pes) {
  return ranks_of(pes, [](int, const pe_process& pe) { return pe.runs(); });
}

}  // namespace boxcar::launcher
