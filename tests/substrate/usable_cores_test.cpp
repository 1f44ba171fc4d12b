// Tests of the cores that a process may run on, on a machine with more cores than a cpu_set_t.
#include "substrate/usable_cores.hpp"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <sched.h>

namespace boxcar::test::usable_cores_test {
namespace {

constexpr int cores = 5000;
bool machine_is_large = false;

}  // namespace

// A system that refuses sets without room for all of its cores, as Linux does.
int affinity_of_a_large_machine(std::size_t bytes, cpu_set_t* set) {
  if (bytes * 8 < cores) {
    errno = EINVAL;
    return -1;
  }
  std::memset(set, 0, bytes);
  for (const int core : {3, 1024, cores - 1}) CPU_SET_S(core, bytes, set);
  return 0;
}

TEST(usable_cores, are_found_on_any_machine) {
  machine_is_large = true;
  const detail::core_set found = detail::usable_cores();
  machine_is_large = false;
  EXPECT_EQ(detail::count(found), 3);
  EXPECT_EQ(found[0], 8U);
  EXPECT_EQ(found[16], 1U);
}

TEST(usable_cores, are_those_of_this_process) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) GTEST_SKIP() << "there are too many";
  EXPECT_EQ(detail::count(detail::usable_cores()), CPU_COUNT(&set));
}

TEST(usable_cores, overlap_if_one_is_in_both) {
  const detail::core_set low{3, 0};
  const detail::core_set high{4, 1};
  const detail::core_set both{2, 1};
  EXPECT_FALSE(detail::overlap(low.data(), high.data(), 2));
  EXPECT_TRUE(detail::overlap(low.data(), both.data(), 2));
  EXPECT_TRUE(detail::overlap(high.data(), both.data(), 2));
}

}  // namespace boxcar::test::usable_cores_test

// The linker puts the function between the library and the C library (--wrap).
extern "C" {
int __real_sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set);
int __wrap_sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) {
  return boxcar::test::usable_cores_test::machine_is_large
             ? boxcar::test::usable_cores_test::affinity_of_a_large_machine(bytes, set)
             : __real_sched_getaffinity(process, bytes, set);
}
}
