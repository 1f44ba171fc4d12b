// Measures the distance of two cores: a lower bound for every library between them.
//
//   crossing
//
// Two threads hand a word to and fro, then write buffers to each other and read the received
// buffers, two each way. Prints the one-way time of a word, and the bytes per second that each
// thread writes and reads, by the size of the buffers: once in buffers that cross, once in the
// thread's own. Medians of several runs, and the fastest and slowest.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <iostream>
#include <thread>
#include <vector>

namespace {

constexpr int runs = 7;
constexpr std::array<std::size_t, 7> sizes_in_kibibytes{16, 64, 128, 256, 512, 1024, 2048};

struct alignas(64) word {
  std::atomic<std::uint64_t> value{0};

  void await(std::uint64_t wanted) const {
    while (value.load(std::memory_order_acquire) != wanted) {
    }
  }
  void set(std::uint64_t to) { value.store(to, std::memory_order_release); }
};

// Runs `body(me)` on two threads, and returns the time.
double seconds(const std::function<void(std::size_t me)>& body) {
  const auto begin = std::chrono::steady_clock::now();
  std::thread other(body, 1);
  body(0);
  other.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double nanoseconds_of_a_way() {
  constexpr std::uint64_t trips = 100'000;
  std::array<word, 2> words;
  const double all = seconds([&](std::size_t me) {
    for (std::uint64_t i = 1; i <= trips; ++i) {
      if (me == 0) words[0].set(i);
      words[1 - me].await(i);
      if (me == 1) words[1].set(i);
    }
  });
  return all / trips / 2 * 1e9;
}

double gigabytes_per_second(std::size_t buffer_bytes, bool crossing) {
  constexpr std::size_t bytes_in_all = std::size_t{256} << 20;
  constexpr std::size_t depth = 2;
  struct buffer {
    std::vector<std::uint64_t> words;
    word full;
  };
  std::array<std::array<buffer, depth>, 2> to;  // by the reading thread
  for (auto& buffers : to) {
    for (buffer& b : buffers) b.words.resize(buffer_bytes / sizeof(std::uint64_t));
  }
  const std::size_t rounds = bytes_in_all / buffer_bytes;
  std::atomic<std::uint64_t> sum = 0;  // so that reading is not optimised away
  const double all = seconds([&](std::size_t me) {
    std::uint64_t read = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
      buffer& out = to[crossing ? 1 - me : me][round % depth];
      out.full.await(0);
      for (std::size_t i = 0; i < out.words.size(); ++i) out.words[i] = i ^ round;
      out.full.set(1);
      buffer& in = to[me][round % depth];
      in.full.await(1);
      for (const std::uint64_t w : in.words) read += w;
      in.full.set(0);
    }
    sum += read;
  });
  return static_cast<double>(rounds * buffer_bytes) / all / 1e9;
}

void print(const std::function<double()>& measure) {
  std::vector<double> found(runs);
  std::ranges::generate(found, measure);
  std::ranges::sort(found);
  std::cout << std::setw(8) << found[runs / 2] << "  (" << found.front() << " to " << found.back()
            << ")";
}

}  // namespace

int main() {
  std::cout << std::setprecision(3) << "a word's way, ns: ";
  print(nanoseconds_of_a_way);
  std::cout << "\nbuffer KiB   GB/s of each thread, crossing and its own\n";
  for (const std::size_t kibibytes : sizes_in_kibibytes) {
    std::cout << std::setw(10) << kibibytes;
    for (const bool crossing : {true, false}) {
      print([&] { return gigabytes_per_second(kibibytes << 10, crossing); });
    }
    std::cout << std::endl;
  }
}
