// The program sends numbers to all PEs, and fails unless each PE receives its share and the world
// has at least two PEs.
#include <cstdio>

#include <boxcar/boxcar.hpp>

int main() {
  return boxcar::run([](boxcar::world& world) {
    constexpr long items_per_pe = 1000;
    long received = 0;
    boxcar::exchange<long>(
        world,
        [&](auto& out) {
          for (long i = 0; i < items_per_pe; ++i) out.push(i, static_cast<int>(i % world.size()));
        },
        [&](long) { ++received; });

    const long all = world.reduce(received);
    if (world.size() < 2 || all != items_per_pe * world.size()) {
      throw boxcar::argument_error("the smoke test has too few PEs or items");
    }
    if (world.rank() == 0) std::printf("%d PEs received %ld items\n", world.size(), all);
  });
}
