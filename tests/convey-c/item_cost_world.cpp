// Sends N items through conveyors in C, for bench/instructions/measure to count instructions.
//
//   item_cost CASE N...   runs each N in turn; each run ends with a call of run_has_ended
//   item_cost list        the names of all cases, one per line
//
// The case "client" is the client's code alone, to be subtracted. One PE leaves hops out, so that
// cases of several hops (whose name ends with 2 or 3) have 8 PEs; they are threads, because
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

extern "C" [[gnu::noinline]] void run_has_ended() {
  asm volatile("");
}

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (argc == 2 && name == "list") {
    for (const char* each : cases) std::puts(each);
    return EXIT_SUCCESS;
  }
  if (argc < 3 || std::find(cases.begin(), cases.end(), name) == cases.end()) return 2;
  const int pes = name.ends_with('2') || name.ends_with('3') ? 8 : 1;
  for (int i = 2; i < argc; ++i) {
    const long n = std::atol(argv[i]) / pes;
    std::atomic<long> arrived = 0;
    std::atomic<bool> failed = false;
    boxcar::run(pes, [&](boxcar::world&) {
      const long here = send_items(argv[1], n);
      arrived += here;
      if (here < 0) failed = true;
    });
    if (failed || arrived != n * pes) return EXIT_FAILURE;
    run_has_ended();
  }
  return EXIT_SUCCESS;
}
