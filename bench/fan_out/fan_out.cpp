// Measures the cost of memory alone when PEs have many links: a lower bound for every library that
// sends each item straight to a buffer of its receiver.
//
//   fan_out
//
// Two threads do the work of a number of PEs, without any communication. First each PE writes
// random items to a buffer for each other PE, then each PE reads its buffers; in between, all other
// PEs have used the caches. Prints nanoseconds per item, of a thread, for writing and for reading;
// by the number of PEs, by the size of the pages, and for three ways to write: by a store; by a
// store, after the line was prefetched 512 bytes earlier, as conveyors do; and by collecting whole
// lines in a small buffer, which are then written past the caches (write-combining). Medians of
// several runs.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <vector>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include <boxcar/detail/write_ahead.hpp>

namespace {

constexpr std::size_t threads = 2;
constexpr std::size_t runs = 5;
constexpr std::size_t items = 262'144;  // items of each PE
constexpr std::size_t line_bytes = 64;
constexpr std::size_t items_of_a_line = line_bytes / sizeof(std::uint64_t);

enum class way { store, asked_for, combined };

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// A mapping of zeroed memory, in pages of the usual size or in huge pages if there are any.
class pages {
 public:
  pages(std::size_t bytes, bool huge) : bytes_(bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    madvise(at, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    data_ = static_cast<std::byte*>(at);
  }
  pages(const pages&) = delete;
  pages& operator=(const pages&) = delete;
  ~pages() { munmap(data_, bytes_); }
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::size_t bytes_;
  std::byte* data_;
};

// The buffers of all links: the buffers to one PE are contiguous, where the PE reads them.
class buffers {
 public:
  buffers(std::size_t pes, bool huge)
      : room_(room_for(items / pes)),
        stride_(pes * room_ + line_bytes),  // not all at the same place of a page
        memory_(pes * stride_, huge) {
    std::memset(memory_.data(), 1, pes * stride_);
  }
  [[nodiscard]] std::byte* of(std::size_t from, std::size_t to) const {
    return memory_.data() + to * stride_ + from * room_;
  }

 private:
  // Some more than the average, whole lines.
  static std::size_t room_for(std::size_t n) {
    return (n + n / 4 + 128) / items_of_a_line * line_bytes;
  }

  std::size_t room_;
  std::size_t stride_;
  pages memory_;
};

void put(std::byte* to, std::uint64_t item) {
  std::memcpy(to, &item, sizeof item);
}

// Moves a line past the caches.
void move_line(std::byte* to, const std::byte* from) {
#if defined(__x86_64__)
  for (std::size_t i = 0; i < line_bytes; i += sizeof(__m128i)) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
#else
  std::memcpy(to, from, line_bytes);
#endif
}

// Makes the streamed lines visible to threads synchronised with this thread.
void finish_lines() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

struct alignas(line_bytes) line {
  std::byte bytes[line_bytes];
};

class program {
 public:
  program(std::size_t pes, bool huge) : pes_(pes), buffers_(pes, huge), to_(pes), ends_(pes) {
    for (std::size_t pe = 0; pe < pes; ++pe) {
      to_[pe].resize(items);
      ends_[pe].resize(pes);
      for (std::size_t i = 0; i < items; ++i) {
        to_[pe][i] = static_cast<std::uint32_t>((mix(pe * items + i + 1) >> 32) * pes >> 32);
      }
    }
  }

  // Nanoseconds per item of a thread, to write and to read.
  struct cost {
    double writing;
    double reading;
  };
  cost measure(way how) {
    std::barrier all(threads);
    std::array<cost, threads> costs{};
    std::array<std::thread, threads> workers;
    for (std::size_t t = 0; t < threads; ++t) {
      workers[t] = std::thread([this, &all, &costs, how, t] { costs[t] = work(how, t, all); });
    }
    for (std::thread& worker : workers) worker.join();
    if (sum_.exchange(0) != pes_ * (items * (items - 1) / 2)) {
      throw std::logic_error("what was read is not what was written");
    }
    return costs[0];
  }

 private:
  using clock = std::chrono::steady_clock;

  cost work(way how, std::size_t thread, std::barrier<>& all) {
    std::vector<std::byte*> cursors(pes_);
    const std::unique_ptr<line[]> lines(new line[pes_]);
    all.arrive_and_wait();
    const auto start = clock::now();
    for (std::size_t pe = thread; pe < pes_; pe += threads) {
      for (std::size_t to = 0; to < pes_; ++to) cursors[to] = buffers_.of(pe, to);
      write(how, pe, cursors.data(), lines.get());
      ends_[pe] = cursors;
    }
    all.arrive_and_wait();
    const auto written = clock::now();
    std::uint64_t sum = 0;
    for (std::size_t pe = thread; pe < pes_; pe += threads) {
      for (std::size_t from = 0; from < pes_; ++from) sum += read(from, pe);
    }
    all.arrive_and_wait();
    const auto done = clock::now();
    sum_ += sum;
    const double each = static_cast<double>(items * pes_) / threads;
    const auto ns = [each](auto time) {
      return std::chrono::duration<double, std::nano>(time).count() / each;
    };
    return {ns(written - start), ns(done - written)};
  }

  template <bool AskForLines>
  static void store_all(const std::vector<std::uint32_t>& to, std::byte** cursors) {
    for (std::size_t i = 0; i < items; ++i) {
      std::byte*& cursor = cursors[to[i]];
      if constexpr (AskForLines) {
        boxcar::detail::prefetch_to_write(cursor + boxcar::detail::write_ahead);
      }
      put(cursor, i);
      cursor += sizeof i;
    }
  }

  void write(way how, std::size_t pe, std::byte** cursors, line* lines) const {
    const std::vector<std::uint32_t>& to = to_[pe];
    switch (how) {
      case way::store:
        return store_all<false>(to, cursors);
      case way::asked_for:
        return store_all<true>(to, cursors);
      case way::combined:
        for (std::size_t i = 0; i < items; ++i) {
          std::byte*& cursor = cursors[to[i]];
          const std::size_t place = reinterpret_cast<std::uintptr_t>(cursor) % line_bytes;
          put(lines[to[i]].bytes + place, i);
          cursor += sizeof i;
          if (place == line_bytes - sizeof i) move_line(cursor - line_bytes, lines[to[i]].bytes);
        }
        for (std::size_t link = 0; link < pes_; ++link) {
          const std::size_t rest = reinterpret_cast<std::uintptr_t>(cursors[link]) % line_bytes;
          std::memcpy(cursors[link] - rest, lines[link].bytes, rest);
        }
        finish_lines();
        return;
    }
  }

  [[nodiscard]] std::uint64_t read(std::size_t from, std::size_t to) const {
    std::uint64_t sum = 0;
    for (const std::byte* at = buffers_.of(from, to); at != ends_[from][to]; at += sizeof sum) {
      std::uint64_t item = 0;
      std::memcpy(&item, at, sizeof item);
      sum += item;
    }
    return sum;
  }

  std::size_t pes_;
  buffers buffers_;
  std::vector<std::vector<std::uint32_t>> to_;  // destinations of the items, by PE
  std::atomic<std::uint64_t> sum_ = 0;          // sum of all items read
  std::vector<std::vector<std::byte*>> ends_;   // by sender and receiver
};

double median(std::array<double, runs> values) {
  std::ranges::sort(values);
  return values[runs / 2];
}

void print(program& p, way how) {
  std::array<double, runs> writing{};
  std::array<double, runs> reading{};
  std::array<double, runs> both{};
  for (std::size_t run = 0; run < runs; ++run) {
    const auto [w, r] = p.measure(how);
    writing[run] = w;
    reading[run] = r;
    both[run] = w + r;
  }
  std::cout << std::setw(10) << median(writing) << std::setw(6) << median(reading) << std::setw(6)
            << median(both);
}

}  // namespace

int main() {
  std::cout << "ns per item: to write, to read, both\n"
               " PEs  pages            stored             asked for              combined\n"
            << std::fixed << std::setprecision(2);
  for (const std::size_t pes : {2U, 8U, 64U, 256U}) {
    for (const bool huge : {false, true}) {
      std::cout << std::setw(4) << pes << (huge ? "   huge" : "  usual");
      program p(pes, huge);
      for (const way how : {way::store, way::asked_for, way::combined}) print(p, how);
      std::cout << std::endl;
    }
  }
}
