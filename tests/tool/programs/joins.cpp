// A PE of a world from `boxcar::join`.
#include <cstdio>

#include <boxcar/boxcar.hpp>

int main() {
  try {
    boxcar::world w = boxcar::join();
    w.barrier();
    std::printf("PE %d of %d\n", w.rank(), w.size());
    return 0;
  } catch (const boxcar::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
