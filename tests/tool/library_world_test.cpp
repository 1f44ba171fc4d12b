// Worlds outlive main if a library keeps them in static variables.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::library_world_test {
namespace {

std::vector<std::string> job(const char* nodes, const char* when) {
  return {"run", "-n", "3", "--nodes", nodes, "--", little_program("library_world"), when};
}

TEST(library_world, can_be_used_when_it_is_destroyed) {
  for (const char* const nodes : {"1", "2", "3"}) {
    for (const char* const when : {"before-main", "in-main"}) {
      SCOPED_TRACE(std::string(when) + " on " + nodes);
      const ending_seen seen = boxcar_command(job(nodes, when));
      EXPECT_EQ(seen.status, 0) << seen.errors;
      EXPECT_EQ(seen.output, "at the end 3 of 3\n");
    }
  }
}

TEST(library_world, can_be_that_of_a_program_which_no_launcher_has_started) {
  for (const char* const when : {"before-main", "in-main", "only"}) {
    launched alone({when}, {.command = little_program("library_world")});
    EXPECT_EQ(alone.wait().status, 0) << when;
  }
}

TEST(library_world, leaves_no_pe_in_doubt) {
  for (const char* const nodes : {"1", "3"}) {
    const ending_seen seen = boxcar_command(job(nodes, "only"));
    EXPECT_EQ(seen.status, 0) << seen.errors;
  }
}

TEST(library_world, waits_for_nobody_if_its_pe_has_failed) {
  std::vector<std::string> words = job("2", "in-main");
  words.emplace_back("exit-3");
  const ending_seen seen = boxcar_command(words);
  EXPECT_EQ(seen.status, 3);
}

TEST(library_world, can_follow_others_before_and_after_main) {
  for (const char* const nodes : {"1", "3"}) {
    const ending_seen seen = boxcar_command(job(nodes, "run-again"));
    EXPECT_EQ(seen.status, 0) << seen.errors;
    EXPECT_EQ(seen.output, "sum 3\nsum 3\n");
  }
  launched alone({"run-again"}, {.command = little_program("library_world")});
  const ending_seen seen = alone.wait();
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.output, "sum 1\nsum 1\n");
}

}  // namespace
}  // namespace boxcar::test::library_world_test
