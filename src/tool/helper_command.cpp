#include "helper_command.hpp"

#include <cstdlib>
#include <filesystem>

#include "find_program.hpp"
#include "launcher/job.hpp"

namespace boxcar::tool {

void helper_command(const std::string& command, const std::string& program,
                    const std::vector<std::string>& words) {
  std::error_code problem;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", problem);
  const auto beside = here.parent_path() / program;
  if (problem || !std::filesystem::exists(beside, problem)) {
    throw launcher::cannot_start(
        "there is no " + program + " beside " + here.string() +
            ": Boxcar was built without the simulated machine, which needs Boost.Context (Debian: "
            "libboost-context-dev); build it where that is installed",
        127);
  }
  std::vector<std::string> all{"boxcar " + command};
  all.insert(all.end(), words.begin(), words.end());
  // A simulation goes from PE to PE, and so all over its memory: large pages make that a fifth
  // faster.
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
  execute_program(beside.string(), all);
}

}  // namespace boxcar::tool
