// The plug-in uses Boxcar in the world of the program, or joins a world itself.
#include <boxcar/boxcar.hpp>

extern "C" {

[[gnu::visibility("default")]] long use(boxcar::world& w) {
  long got = 0;
  boxcar::exchange<int>(
      w,
      [&](auto& out) {
        for (int i = 0; i < 100; ++i) out.push(i, i % w.size());
      },
      [&](int) { ++got; });
  boxcar::window<long> counts(w, 1);
  counts.add(1, 0, 0);
  counts.flush();
  w.barrier();
  return w.reduce(got) + counts.get(0, 0);
}

[[gnu::visibility("default")]] long join_again(boxcar::world&) {
  return boxcar::join().size();
}
}
