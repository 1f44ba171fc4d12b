// Tests of the binding of processes to cores by launchers. The cores of each PE determine whether
// PEs share cores, and so how they wait and how large their buffers are.
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test::cores_test {
namespace {

std::vector<std::string> cores_here() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<std::string> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(std::to_string(core));
  }
  return cores;
}

class bound_processes : public testing::TestWithParam<std::string> {
 protected:
  // The explanation of a conveyor in a job of two processes bound to the cores.
  static std::string explanation(const std::string& first, const std::string& second) {
    const std::string command = "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] && core=" + first +
                                " || core=" + second +
                                "; exec taskset -c $core \"$0\" bench session --substrate $1 " +
                                "--items 1 --rounds 1 --baselines none";
    const std::string substrate = GetParam() == "shmem" ? "shmem" : "mpi";
    const ending_seen seen =
        boxcar_command({GetParam(), "2", "sh", "-c", command, BOXCAR_COMMAND, substrate},
                       {.command = IN_CLUSTER, .one_output = true});
    EXPECT_EQ(seen.status, 0) << seen.output;
    EXPECT_EQ(count(seen.output, "buffers: 2 links"), 1) << seen.output;
    return seen.output;
  }
};

TEST_P(bound_processes, share_a_core_only_if_they_may_run_on_the_same) {
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (cache > 0 && (cache < 256 << 10 || cache >= 4 << 20)) {
    GTEST_SKIP() << "with a cache of " << cache << " bytes, buffers have one size in any case";
  }
  const std::vector<std::string> cores = cores_here();
  EXPECT_EQ(count(explanation(cores[0], cores[0]), "PEs share cores"), 1);
  if (cores.size() < 2) GTEST_SKIP() << "there is one core";
  EXPECT_EQ(count(explanation(cores[0], cores[1]), "PEs share cores"), 0);
  const std::string both = cores[0] + ',' + cores[1];
  EXPECT_EQ(count(explanation(both, both), "PEs share cores"), 0);
  EXPECT_EQ(count(explanation(both, cores[1]), "PEs share cores"), 1);
}

INSTANTIATE_TEST_SUITE_P(cluster, bound_processes, testing::Values("openmpi", "mpich", "shmem"),
                         [](const auto& launcher) { return launcher.param; });

}  // namespace
}  // namespace boxcar::test::cores_test
