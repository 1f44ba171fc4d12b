// throws_at_end: on every PE a collective is under way while the world ends, and the function that
// the PE gave to the collective throws. Each PE prints "ready" before.
#include <chrono>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <vector>

#include <boxcar/boxcar.hpp>

int main() {
  std::vector<int> values(4);
  const auto fails = [](int, int) -> int { throw std::runtime_error("no more paper"); };
  return boxcar::run([&](boxcar::world& w) {
    std::printf("ready\n");
    // The last PE starts the collective late, so no PE calls the function before all leave.
    if (w.rank() == w.size() - 1) w.sleep(std::chrono::milliseconds(200));
    static_cast<void>(w.all_reduce_async(std::span(values), std::span(values), fails));
  });
}
