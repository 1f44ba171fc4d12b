// A program that includes all of Boxcar, as its client compiles it with a sanitizer.
#include <array>
#include <vector>

#include <boxcar/boxcar.hpp>

// A plain type without a default.
struct cell {
  explicit cell(int n) : number(n) {}
  int number;
};

int main() {
  return boxcar::run([](boxcar::world& world) {
    boxcar::stream<int> numbers(world, [](int) {});
    {
      const auto session = numbers.begin();
      numbers.send(1, 0);
      numbers.finish();
    }
    boxcar::conveyor<cell> cells(world);
    cells.pull_all([](const cell&) {});
    boxcar::window<cell> window(world, 0);
    static_cast<void>(window.get(0, 0));
  });
}
