// static_world before_main|within_main|by_main: a program whose world is a static object, made at
// the given time, and destroyed when the program exits: before or after the finalisation of MPI.
// The PEs come to their ends at different times.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <boxcar/boxcar.hpp>

namespace {

std::string_view when;

// Reads the arguments of the command before main does.
struct early {
  early() {
    if (std::FILE* file = std::fopen("/proc/self/cmdline", "r")) {
      char line[4096] = {};
      const std::size_t length = std::fread(line, 1, sizeof line - 1, file);
      std::fclose(file);
      if (std::string_view(line, length).find("before_main") != std::string_view::npos) {
        world.emplace(boxcar::join());
      }
    }
  }
  std::optional<boxcar::world> world;
};

// The destructor of `of_main` is registered before `join` can register anything in main.
std::optional<boxcar::world> of_main;
early of_start;

boxcar::world& static_world() {
  if (of_start.world) return *of_start.world;
  if (when == "by_main") return of_main.emplace(boxcar::join());
  static boxcar::world within = boxcar::join();
  return within;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  when = argv[1];
  boxcar::world& w = static_world();
  if (w.size() != 3) return 3;
  long sum = 0;
  boxcar::exchange<int>(
      w,
      [&](auto& out) {
        for (int i = 0; i < 100'000; ++i) out.push(1, i % w.size());
      },
      [&](int one) { sum += one; });
  if (w.reduce(sum) != 300'000) return 4;
  boxcar::window<long> counts(w, 1);
  counts.add(1, 0, 0);
  counts.flush();
  w.barrier();
  if (w.rank() == 0 && counts.local()[0] != 3) return 5;
  // PE 0 also ends while the other PEs still have work, without its help.
  w.sleep(std::chrono::milliseconds(200) * w.rank());
  return 0;
}
