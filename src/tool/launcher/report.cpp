#include "launcher/report.hpp"

#include <algorithm>
#include <cstring>
#include <sys/wait.h>
#include <utility>

#include "launcher/control_memory.hpp"

namespace boxcar::launcher {
namespace {

using detail::attendance;

std::string describe_waiting(const std::string& in) {
  if (in.empty()) return "in the world, in no collective";
  return (in.starts_with("in ") ? "waiting " : "waiting while ") + in;
}

std::string describe_doing(detail::job_block& job, int rank) {
  switch (presence_of(job, rank).there) {
    case attendance::absent:
      return "running, has not joined the world";
    case attendance::attached:
      return describe_waiting(waiting_in(job, rank));
    case attendance::departed:
      return "running, has left the world";
  }
  return "in a state that this launcher does not know";
}

}  // namespace

std::string describe_signal(int signal) {
  const char* name = sigabbrev_np(signal);
  std::string text = "signal " + std::to_string(signal);
  if (name != nullptr) text.append(" (SIG").append(name).append(")");
  return text;
}

std::string describe_end(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    return "was killed by " + describe_signal(WTERMSIG(wait_status)) +
           (WCOREDUMP(wait_status) ? ", core dumped" : "");
  }
  const int status = WEXITSTATUS(wait_status);
  std::string exited = "exited with status " + std::to_string(status);
  const bool tells_of_signal = status > 128 && sigabbrev_np(status - 128) != nullptr;
  if (!tells_of_signal) return exited;
  return exited + ", by which shells tell of " + describe_signal(status - 128);
}

int exit_status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::string name_pes(const std::vector<int>& ranks, int first_rank) {
  std::string names = ranks.size() == 1 ? "PE " : "PEs ";
  for (std::size_t first = 0, next; first < ranks.size(); first = next) {
    next = first + 1;
    while (next < ranks.size() && ranks[next] == ranks[next - 1] + 1) ++next;
    if (first != 0) names += ", ";
    names += std::to_string(first_rank + ranks[first]);
    if (next - first > 1) names.append("-").append(std::to_string(first_rank + ranks[next - 1]));
  }
  return names;
}

std::string describe_doing(detail::job_block& job, const std::vector<int>& ranks, int first) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (const int rank : ranks) {
    const std::string doing = describe_doing(job, rank);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& each) { return each.first == doing; });
    if (group == groups.end()) group = groups.insert(groups.end(), {doing, {}});
    group->second.push_back(rank);
  }
  std::string lines;
  for (const auto& [doing, who] : groups) lines += "\n  " + name_pes(who, first) + ": " + doing;
  return lines;
}

}  // namespace boxcar::launcher
