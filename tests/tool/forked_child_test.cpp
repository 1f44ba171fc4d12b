// A process forked by a PE is no PE: the child gets an error with the PE's name, and the job comes
// to no harm.
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::forked_child_test {
namespace {

struct childs_end {
  std::string what;
  std::string ended;  // "the child has ended ..."
  std::string message;
};

void PrintTo(const childs_end& end, std::ostream* out) {
  *out << end.what;
}

std::string name_of(const testing::TestParamInfo<childs_end>& info) {
  std::string name = info.param.what;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

void expect_end(const ending_seen& seen, const childs_end& end) {
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "done\n"), 3) << seen.output;
  EXPECT_EQ(count(seen.output, "the child has ended " + end.ended + "\n"), 1) << seen.output;
  EXPECT_EQ(count(seen.errors, end.message), 1) << seen.errors;
  EXPECT_EQ(seen.errors.empty(), end.message.empty()) << seen.errors;
}

class forked_child : public testing::TestWithParam<childs_end> {};

TEST_P(forked_child, is_no_pe_of_a_job) {
  for (const char* const nodes : {"1", "3"}) {
    expect_end(boxcar_command({"run", "-n", "3", "--nodes", nodes, "--", little_program("forks"),
                               "1", GetParam().what}),
               GetParam());
  }
}

const std::vector<childs_end> of_all{
    {"exit", "with status 0", ""},
    {"return", "with status 1", "PE 1: a process that it has forked has come to the end"},
    {"throw", "with status 1", "PE 1: in a process that it has forked: the child throws"},
    {"session", "with status 1", "PE 1: in a process that it has forked: a session was left"},
    {"barrier", "with status 1", "barrier in process"},
};
INSTANTIATE_TEST_SUITE_P(tool, forked_child, testing::ValuesIn(of_all), name_of);

const std::vector<childs_end> of_processes{
    {"run", "with status 1", "a forked child is no PE"},
    {"join", "with status 1", "a forked child is no PE"},
    {"static-exit", "with status 0", ""},
    {"static-return", "with status 0", ""},
    {"static-barrier", "with status 1", "barrier in process"},
    {"static-join", "with status 1", "a forked child is no PE"},
};
INSTANTIATE_TEST_SUITE_P(processes, forked_child, testing::ValuesIn(of_processes), name_of);

class forked_child_of_a_thread : public testing::TestWithParam<childs_end> {};

TEST_P(forked_child_of_a_thread, is_no_pe) {
  for (const char* const pe : {"0", "1"}) {
    childs_end end = GetParam();
    if (const auto at = end.message.find("PE 1"); at == 0)
      end.message.replace(0, 4, std::string("PE ") + pe);
    expect_end(boxcar_command(
                   {"run", "-n", "3", "--threads", "--", little_program("forks"), pe, end.what}),
               end);
  }
}

INSTANTIATE_TEST_SUITE_P(tool, forked_child_of_a_thread, testing::ValuesIn(of_all), name_of);

TEST(forked_child_on_several_nodes, is_told_if_it_puts_to_another_one) {
  expect_end(
      boxcar_command({"run", "-n", "3", "--nodes", "3", "--", little_program("forks"), "1", "put"}),
      {"put", "with status 1", "put in process"});
}

}  // namespace
}  // namespace boxcar::test::forked_child_test
