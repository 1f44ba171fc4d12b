// A program may keep objects beyond `boxcar::run`: they do nothing any more, and hold up nobody.
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::kept_objects_test {
namespace {

TEST(kept_objects, do_nothing_after_run_if_pes_are_threads) {
  for (const char* const nodes : {"1", "2"}) {
    SCOPED_TRACE(nodes);
    launched alone({}, {.command = little_program("keeps"), .before_exec = [nodes] {
                          setenv("BOXCAR_PES", "4", 1);
                          setenv("BOXCAR_NODES", nodes, 1);
                        }});
    const ending_seen seen = alone.wait();
    EXPECT_EQ(seen.status, 0) << seen.output << seen.errors;
    EXPECT_EQ(count(seen.output, "nothing is left\n"), 1) << seen.output;
  }
}

TEST(kept_objects, do_nothing_after_run_if_pes_are_processes) {
  for (const char* const nodes : {"1", "2"}) {
    SCOPED_TRACE(nodes);
    const ending_seen seen =
        boxcar_command({"run", "-n", "4", "--nodes", nodes, "--", little_program("keeps")});
    EXPECT_EQ(seen.status, 0) << seen.output << seen.errors;
    EXPECT_EQ(count(seen.output, "nothing is left\n"), 4) << seen.output;
  }
}

}  // namespace
}  // namespace boxcar::test::kept_objects_test
