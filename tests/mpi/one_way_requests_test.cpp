// Tests of requests to a PE that sends nothing back: only synchronous sends show how many the PE
// has received, and without them the requests would pile up in its MPI.
#include <cstdint>
#include <gtest/gtest.h>
#include <mpi.h>

#include <boxcar/counter.hpp>
#include <boxcar/mpi.hpp>
#include <boxcar/window.hpp>

#include "mpi/refusing_mpi.hpp"
#include "support/world_shape.hpp"

namespace boxcar::test::one_way_requests_test {
namespace {

TEST(one_way_requests, are_sent_synchronously_now_and_then) {
  constexpr int puts = 3200;
  constexpr int most_under_way = 32;
  world w =
      mpi::world_of(MPI_COMM_WORLD, {.nodes = cluster_pes()});  // none shares memory with another
  window<std::uint64_t> elements(w, 1);
  counter arrived(w);
  w.barrier();
  if (w.rank() == 0) {
    const int before = count_started("MPI_Issend");
    const int ordinary_before = count_started("MPI_Isend");
    for (std::uint64_t i = 1; i <= puts; ++i) elements.put(i, 1, 0, arrived);
    const int synchronous = count_started("MPI_Issend") - before;
    EXPECT_GE(synchronous, puts / most_under_way - 1);
    EXPECT_GE(count_started("MPI_Isend") - ordinary_before + synchronous, puts);
  } else if (w.rank() == 1) {
    arrived.wait(puts);
    EXPECT_EQ(elements.local()[0], puts);
  }
  w.barrier();
}

}  // namespace
}  // namespace boxcar::test::one_way_requests_test
