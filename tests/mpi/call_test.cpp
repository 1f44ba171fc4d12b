// Tests of calls into MPI and of their failures (substrate/mpi/call.hpp). Run as a job of several
// processes, all of which run all tests.
#include "substrate/mpi/call.hpp"

#include <array>
#include <chrono>
#include <gtest/gtest.h>
#include <mpi.h>
#include <string>

#include <boxcar/boxcar.hpp>
#include <boxcar/mpi.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::call_test {
namespace {

using namespace std::chrono_literals;

class mpi_call : public testing::Test {
 protected:
  mpi_call() { mpi::world_of(MPI_COMM_WORLD).barrier(); }  // MPI is there from now on
  ~mpi_call() override { refuse_nothing(); }
};

TEST_F(mpi_call, that_succeeds_is_nothing_to_speak_of) {
  EXPECT_NO_THROW(detail::mpi::check(MPI_SUCCESS, "succeeding"));
}

TEST_F(mpi_call, that_fails_throws_with_the_words_of_mpi) {
  const std::string text =
      thrown_by<system_error>([] { detail::mpi::check(MPI_ERR_INTERN, "trying"); });
  EXPECT_EQ(text, "trying failed: " + text_of_refusal());
}

// Receives of the process, from itself.
struct own_receives {
  explicit own_receives(int their_tag) : tag(their_tag) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      MPI_Irecv(&numbers[i], 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[i]);
    }
  }

  int tag;
  std::array<int, 3> numbers{};
  std::array<MPI_Request, 3> requests{};
};

TEST_F(mpi_call, gives_up_receives_that_nobody_sends_to) {
  own_receives all(1);
  EXPECT_TRUE(detail::mpi::give_up(all.requests));
  for (const MPI_Request& request : all.requests) EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_F(mpi_call, gives_up_receives_that_have_ended) {
  own_receives all(2);
  for (const int number : {7, 8, 9}) MPI_Ssend(&number, 1, MPI_INT, 0, all.tag, MPI_COMM_SELF);
  EXPECT_TRUE(detail::mpi::give_up(all.requests));
  EXPECT_EQ(all.numbers, (std::array{7, 8, 9}));
}

TEST_F(mpi_call, leaves_receives_that_do_not_end_to_mpi) {
  static own_receives all(3);  // MPI may write there to the end
  refuse({.function = "MPI_Cancel", .refused = all_of_them});
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(detail::mpi::give_up(all.requests));
  const auto taken = std::chrono::steady_clock::now() - begun;
  EXPECT_GE(taken, 100ms);
  EXPECT_LT(taken, 10s);
  for (const MPI_Request& request : all.requests) EXPECT_EQ(request, MPI_REQUEST_NULL);
  // The receives complete later, so their memory must stay.
  for (const int number : {7, 8, 9}) MPI_Ssend(&number, 1, MPI_INT, 0, all.tag, MPI_COMM_SELF);
  EXPECT_EQ(all.numbers, (std::array{7, 8, 9}));
}

}  // namespace
}  // namespace boxcar::test::call_test
