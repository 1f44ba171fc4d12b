#include "launcher/descendants.hpp"

#include <charconv>
#include <cstring>
#include <dirent.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "launcher/process_table.hpp"

namespace boxcar::launcher {
namespace {

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
  if (directory == nullptr) return children;
  while (const dirent* entry = readdir(directory.get())) {
    pid_t pid = 0;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, pid).ptr != end) continue;
    children.emplace(parent_of(entry->d_name), pid);
  }
  return children;
}

// Returns whether there is a child, running or not.
bool has_children() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

std::optional<pid_t> ended_child() {
  siginfo_t info{};
  if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return std::nullopt;
  return info.si_pid != 0 ? std::optional(info.si_pid) : std::nullopt;
}

}  // namespace

descendants::descendants() {
  prctl(PR_GET_CHILD_SUBREAPER, &was_reaper_);
  prctl(PR_SET_CHILD_SUBREAPER, 1ul);
  if (!has_children()) return;
  const auto children = children_by_parent();
  const auto [first, last] = children.equal_range(getpid());
  for (auto child = first; child != last; ++child) foreign_.insert(child->second);
}

descendants::~descendants() {
  prctl(PR_SET_CHILD_SUBREAPER, static_cast<unsigned long>(was_reaper_));
}

void descendants::bury_adopted(const std::function<bool(pid_t)>& is_own) const {
  for (auto pid = ended_child(); pid; pid = ended_child()) {
    if (is_own(*pid)) return;
    if (foreign_.contains(*pid)) return bury_each(is_own);
    waitpid(*pid, nullptr, WNOHANG);
  }
}

// The slow path: a foreign child has ended, and hides whether an adopted child has ended.
void descendants::bury_each(const std::function<bool(pid_t)>& is_own) const {
  for (const pid_t pid : all()) {
    if (!is_own(pid)) waitpid(pid, nullptr, WNOHANG);
  }
}

std::set<pid_t> descendants::all() const {
  std::set<pid_t> found;
  if (!has_children()) return found;
  const auto children = children_by_parent();
  std::vector<pid_t> parents{getpid()};
  while (!parents.empty()) {
    const auto [first, last] = children.equal_range(parents.back());
    parents.pop_back();
    for (auto child = first; child != last; ++child) {
      if (foreign_.contains(child->second)) continue;
      parents.push_back(child->second);
      found.insert(child->second);
    }
  }
  return found;
}

}  // namespace boxcar::launcher
