// Tests of calls refused by MPI on all PEs while a world is made: each PE gets a system_error with
// MPI's text, and may try again. Run as a job of several processes, all of which run all tests.
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/mpi.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/by_name.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::start_errors_test {
namespace {

struct call_at_start {
  std::string function;
  int least;  // number of such calls of every PE
};

std::string name_of(const call_at_start& call) {
  return call.function;
}

void PrintTo(const call_at_start& call, std::ostream* out) {
  *out << call.function;
}

world make_world() {
  return mpi::world_of(MPI_COMM_WORLD, {.nodes = 2});
}

class mpi_refuses_at_the_start : public testing::TestWithParam<call_at_start> {
 protected:
  ~mpi_refuses_at_the_start() override { refuse_nothing(); }
};

TEST_P(mpi_refuses_at_the_start, and_a_world_is_made_later) {
  const call_at_start& call = GetParam();
  make_world().barrier();  // MPI is there from now on
  int n = 0;
  for (;; ++n) {
    // Other receives may belong to the collectives of an earlier world.
    const bool receives = call.function == "MPI_Irecv";
    refuse({.function = call.function,
            .at_least = receives ? least_of_notices : 0,
            .at_most = most_of_notices,
            .spared = n});
    try {
      make_world().barrier();
      break;  // there are fewer calls
    } catch (const system_error& e) {
      expect_mentions(e.what(), {call.function + " failed: " + text_of_refusal()});
    }
    EXPECT_EQ(count_refused(), 1);
    refuse_nothing();
    world w = make_world();
    EXPECT_EQ(w.reduce(1), w.size());
  }
  EXPECT_GE(n, call.least);
}

const std::vector<call_at_start> calls_at_start{
    {"MPI_Query_thread", 1},  {"MPI_Comm_test_inter", 1},
    {"MPI_Comm_idup", 2},     {"MPI_Comm_set_errhandler", 2},
    {"MPI_Comm_get_attr", 2}, {"MPI_Comm_rank", 1},
    {"MPI_Comm_size", 1},     {"MPI_Iallreduce", 6},
    {"MPI_Ibarrier", 1},      {"MPI_Irecv", 1},
};

INSTANTIATE_TEST_SUITE_P(mpi, mpi_refuses_at_the_start, testing::ValuesIn(calls_at_start),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::start_errors_test
