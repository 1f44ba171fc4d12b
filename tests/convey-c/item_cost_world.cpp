// Sends N items through conveyors in C, for bench/instructions/measure to count instructions.
//
//   item_cost CASE N
//
// The case "client" is the client's part alone, to be subtracted. One PE leaves hops out, so that
// several hops (a case that ends with 2 or 3) are those of 8 PEs; these are threads, because
// callgrind counts in one process.
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <boxcar/run.hpp>

#include "item_cost.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view name = argv[1];
  const int pes = name.ends_with('2') || name.ends_with('3') ? 8 : 1;
  const long n = std::atol(argv[2]) / pes;
  std::atomic<long> arrived = 0;
  std::atomic<bool> failed = false;
  boxcar::run(pes, [&](boxcar::world&) {
    const long here = send_items(argv[1], n);
    arrived += here;
    if (here < 0) failed = true;
  });
  return !failed && arrived == n * pes ? EXIT_SUCCESS : EXIT_FAILURE;
}
