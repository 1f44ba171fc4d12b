// early_end finalize|exit: a program that initialises MPI itself. PE 0 finalises MPI, or exits
// without doing so, while the other PEs wait for PE 0 in its world.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mpi.h>
#include <string_view>

#include <boxcar/mpi.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  boxcar::world w = boxcar::mpi::world_of(MPI_COMM_WORLD, {.nodes = 2});
  w.barrier();
  if (w.rank() == 0) {
    if (std::string_view(argv[1]) == "exit") std::exit(0);
    MPI_Finalize();
    return 0;
  }
  try {
    w.barrier();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
