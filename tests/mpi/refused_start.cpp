// refused_start FUNCTION STARTED_BY ALL|ONE: the second world of the program is made while MPI
// refuses the function (see refusing_mpi.hpp) to all PEs, or to PE 1 only. Prints MPI's text first.
#include <cstdio>
#include <string_view>

#include <boxcar/boxcar.hpp>

#include "mpi/refusing_mpi.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  bool is_refused = false;
  const int status = boxcar::run([&](boxcar::world& w) {
    w.barrier();
    is_refused = argv[3] == std::string_view("ALL") || w.rank() == 1;
    std::printf("ready for: %s\n", boxcar::test::text_of_refusal().c_str());
    std::fflush(stdout);
  });
  if (status != 0) return status;
  if (is_refused) {
    // Other receives may belong to the collectives of the first world.
    const bool receives = argv[1] == std::string_view("MPI_Irecv");
    boxcar::test::refuse({.function = argv[1],
                          .started_by = argv[2],
                          .at_least = receives ? boxcar::test::least_of_notices : 0,
                          .at_most = boxcar::test::most_of_notices});
  }
  return boxcar::run([](boxcar::world& w) {
    w.barrier();
    std::puts("made");
  });
}
