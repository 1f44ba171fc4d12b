// Sends N items through conveyors in C, for bench/instructions/measure to count instructions.
//
//   item_cost CASE N
//   item_cost list      the names of all cases, one per line
//
// The case "client" is the client's part alone, to be subtracted. One PE leaves hops out, so that
// several hops (a case that ends with 2 or 3) are those of 8 PEs; these are threads, because
// callgrind counts in one process.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <boxcar/run.hpp>

#include "item_cost.h"

constexpr std::array cases{"client",   "tensor-1",  "tensor-2",  "tensor-3", "called-1",
                           "packet-1", "elastic-1", "elastic-2", "elastic-3"};

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (argc == 2 && name == "list") {
    for (const char* each : cases) std::puts(each);
    return EXIT_SUCCESS;
  }
  if (argc != 3 || std::find(cases.begin(), cases.end(), name) == cases.end()) return 2;
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
