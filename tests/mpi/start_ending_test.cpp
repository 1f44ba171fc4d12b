// Tests of calls refused by MPI while a program's world is made: the job ends by itself, with a
// failure status and MPI's text, also if MPI refuses one PE while the other PEs wait for it in MPI.
#include <cstdlib>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster_job.hpp"
#include "support/by_name.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::start_ending_test {
namespace {

struct refused_start {
  std::string function;
  std::string operation;
  std::string whom;
};

std::string name_of(const refused_start& start) {
  return start.function + "_to_" + start.whom;
}

void PrintTo(const refused_start& start, std::ostream* out) {
  *out << name_of(start);
}

// The MPI announced by the program.
std::string words_of_mpi(const std::string& output) {
  const std::string_view before = "ready for: ";
  const std::size_t begin = output.find(before);
  if (begin == std::string::npos) return "nothing";
  const std::size_t words = begin + before.size();
  return output.substr(words, output.find('\n', words) - words);
}

// The MPI of the tested program: each test of ctest names one in BOXCAR_TEST_MPI.
std::string tested_mpi() {
  const char* const mpi = std::getenv("BOXCAR_TEST_MPI");
  return mpi == nullptr ? "openmpi" : mpi;
}

class a_start : public testing::TestWithParam<refused_start> {};

TEST_P(a_start, that_is_refused_ends_the_job) {
  const auto& [function, operation, whom] = GetParam();
  const job_ending seen = ending_of({.launcher = tested_mpi(),
                                     .pes = 3,
                                     .nodes = 2,
                                     .program = REFUSED_START + tested_mpi(),
                                     .words = {function, operation, whom}});
  EXPECT_EQ(seen.output.find("made"), std::string::npos) << seen.output;
  if (!seen.status) return;  // nor can missing output be judged
  EXPECT_NE(*seen.status, 0) << seen.output;
  expect_mentions(seen.output, {"boxcar: " + operation + " failed: " + words_of_mpi(seen.output)});
}

const std::vector<refused_start> refused_starts{
    {"MPI_Comm_idup", "MPI_Comm_idup", "ALL"},   {"MPI_Comm_idup", "MPI_Comm_idup", "ONE"},
    {"MPI_Test", "MPI_Comm_idup", "ALL"},        {"MPI_Test", "MPI_Comm_idup", "ONE"},
    {"MPI_Iallreduce", "MPI_Iallreduce", "ONE"}, {"MPI_Irecv", "MPI_Irecv", "ONE"},
};

INSTANTIATE_TEST_SUITE_P(mpi, a_start, testing::ValuesIn(refused_starts), by_name{});

}  // namespace
}  // namespace boxcar::test::start_ending_test
