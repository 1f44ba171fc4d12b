// The jobs of compare.py in C++: the reference for the functions on arrays.
//
//   boxcar run -n 2 -- build/release/bench/python/python_reference
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include <boxcar/boxcar.hpp>

namespace {

constexpr std::size_t items = 10'000'000;
constexpr std::size_t slots = 65536;
constexpr int rounds = 5;

void measure(boxcar::world& world, const char* name, const std::function<void()>& job) {
  std::vector<double> seconds;
  for (int round = 0; round <= rounds; ++round) {
    world.barrier();
    const auto start = world.now();
    job();
    world.barrier();
    seconds.push_back(std::chrono::duration<double>(world.now() - start).count());
  }
  std::sort(seconds.begin() + 1, seconds.end());  // the first warms up
  const double median = seconds[1 + rounds / 2];
  if (world.rank() == 0) {
    std::printf("%-13s %.0f ms, %.0f M items/s/PE\n", name, median * 1e3,
                static_cast<double>(items) / median / 1e6);
  }
}

void run(boxcar::world& world) {
  const auto pes = static_cast<std::size_t>(world.size());
  std::mt19937_64 random(static_cast<std::uint64_t>(world.rank()) + 1);
  std::vector<std::int64_t> values(items);
  std::vector<std::int64_t> to(items);
  std::vector<std::int64_t> indices(items);
  for (std::size_t i = 0; i < items; ++i) {
    values[i] = static_cast<std::int64_t>(random() >> 24);
    to[i] = static_cast<std::int64_t>(random() % pes);
    indices[i] = static_cast<std::int64_t>(random() % (slots * pes));
  }
  std::vector<std::int64_t> table(slots);

  measure(world, "exchange", [&] {
    std::vector<std::int64_t> arrived;
    arrived.reserve(items + items / 8);
    boxcar::exchange<std::int64_t>(
        world,
        [&](auto& out) {
          for (std::size_t i = 0; i < items; ++i) out.push(values[i], static_cast<int>(to[i]));
        },
        [&](std::int64_t value) { arrived.push_back(value); });
  });
  measure(world, "gather", [&] {
    std::vector<std::int64_t> result(items);
    boxcar::exchange<std::uint32_t>(
        world,
        [&](auto& ask) {
          for (std::size_t i = 0; i < items; ++i) {
            const auto index = static_cast<std::size_t>(indices[i]);
            ask.push(static_cast<std::uint32_t>(index % slots), static_cast<int>(index / slots), i);
          }
        },
        [&](std::uint32_t slot) { return table[slot]; },
        [&](std::int64_t value, std::size_t i) { result[i] = value; });
  });
  struct update {
    std::int64_t value;
    std::int64_t slot;
  };
  measure(world, "scatter_add", [&] {
    boxcar::exchange<update>(
        world,
        [&](auto& out) {
          for (std::size_t i = 0; i < items; ++i) {
            const auto index = static_cast<std::size_t>(indices[i]);
            out.push({values[i], static_cast<std::int64_t>(index % slots)},
                     static_cast<int>(index / slots));
          }
        },
        [&](const update& u) { table[static_cast<std::size_t>(u.slot)] += u.value; });
  });
}

}  // namespace

int main() {
  return boxcar::run(run);
}
