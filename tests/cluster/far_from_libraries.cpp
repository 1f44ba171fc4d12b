// Every PE prints the number of PEs. The program reads no input, as launchers do not agree on it.
#include <cstdio>

#include <boxcar/boxcar.hpp>

int main() {
  return boxcar::run([](boxcar::world& w) {
    std::printf("PE %d of %d\n", w.rank(), w.size());
    w.barrier();
  });
}
