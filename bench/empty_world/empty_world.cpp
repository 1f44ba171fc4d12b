// An empty world: the PEs start and end. The run time of the program is the time of the launcher
// and of the world.
//
//   boxcar run -n 2 empty_world
#include <boxcar/boxcar.hpp>

int main() {
  return boxcar::run([](boxcar::world&) {});
}
