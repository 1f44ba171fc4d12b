// A program and its plug-in work with a single copy of Boxcar in the process, and get an error with
// two.
#include <gtest/gtest.h>
#include <string>

#include "launched.hpp"

namespace boxcar::test::plugin_test {
namespace {

const std::string folder = LITTLE_PROGRAMS;

ending_seen run_with(const std::string& program, const std::string& plugin,
                     const std::string& function) {
  return boxcar_command(
      {"run", "-n", "3", "--", little_program(program), folder + plugin + ".so", function});
}

TEST(plugin, uses_the_shared_library_of_its_program) {
  const ending_seen seen = run_with("loads_plugin_shared", "plugin_shared", "use");
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.output, "the plug-in has got 303\n");
}

TEST(plugin, with_a_copy_of_its_own_is_told_so) {
  const ending_seen seen = run_with("loads_plugin", "plugin", "use");
  EXPECT_EQ(seen.status, 1);
  EXPECT_GE(count(seen.errors, "plugin.so has another copy of Boxcar than "), 1) << seen.errors;
  EXPECT_GE(count(seen.errors, "pkg-config boxcar-shared"), 1) << seen.errors;
}

TEST(plugin, with_a_copy_of_its_own_cannot_join_as_the_same_pe) {
  const ending_seen seen = run_with("loads_plugin", "plugin", "join_again");
  EXPECT_EQ(seen.status, 1);
  EXPECT_GE(count(seen.errors, "already, by another copy of Boxcar in it"), 1) << seen.errors;
}

}  // namespace
}  // namespace boxcar::test::plugin_test
