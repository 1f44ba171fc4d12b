#include "cluster/cluster_job.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace boxcar::test {
namespace {

using namespace std::chrono_literals;

// The patience with a launcher whose processes are all gone. Launchers need tenths of a second.
constexpr auto launchers_patience = 10s;

}  // namespace

job_ending ending_of(const job_line& line) {
  std::vector<std::string> words{line.launcher, std::to_string(line.pes), line.program};
  words.insert(words.end(), line.words.begin(), line.words.end());
  const auto set_nodes = [&line] { setenv("BOXCAR_NODES", std::to_string(line.nodes).c_str(), 1); };
  launched job(words, {.command = IN_CLUSTER, .one_output = true, .before_exec = set_nodes});
  job.read_until("ready", line.pes);
  EXPECT_TRUE(comes_true([&] {
    job.read_for(50ms);
    return job.processes_of(line.program).empty();
  })) << "the job hangs";
  if (const auto seen = job.wait_for(launchers_patience)) return {seen->status, seen->output};
  std::printf("the launcher of %s hangs, after all its processes have ended\n",
              line.launcher.c_str());
  return {std::nullopt, job.output()};
}

}  // namespace boxcar::test
