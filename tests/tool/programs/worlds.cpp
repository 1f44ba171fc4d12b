// worlds [PE]: one world after the other, each with another number of collectives. PEs come to them
// at different times; the given PE only to the first. The lowest PE reports at last whether all
// sums were right.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <boxcar/boxcar.hpp>

int main(int argc, char** argv) {
  constexpr int turns = 60;
  const int leaver = argc > 1 ? std::atoi(argv[1]) : -1;
  int rank = 0;
  int wrong = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    const int status = boxcar::run([&](boxcar::world& w) {
      rank = w.rank();
      if (rank == turn % w.size()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      for (int i = 0; i < turn % 4; ++i) {
        if (w.reduce(turn + i) != w.size() * (turn + i)) ++wrong;
      }
      if (turn == turns && w.reduce(wrong) == 0 && rank == 0) std::puts("all is well");
    });
    if (status != 0 || rank == leaver) return status;
  }
}
