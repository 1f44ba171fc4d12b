// Measures the speed of the standard codec: the table in docs/compression.md. Not a test.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include <boxcar/codec.hpp>

#include "support/dice.hpp"

namespace {

using boxcar::test::dice;

struct sort_of_item {
  const char* name;
  std::size_t bytes;
  std::function<void(std::byte*, dice&)> fill;
};

// An item of 8 bytes, possibly behind a tag, with random bits under `mask`.
sort_of_item masked(const char* name, std::uint64_t mask, std::size_t tag_bytes = 0) {
  return {name, tag_bytes + 8, [=](std::byte* packet, dice& d) {
            const std::uint64_t tag = d.next() % 8;
            const std::uint64_t item = d.next() & mask;
            std::memcpy(packet, &tag, tag_bytes);
            std::memcpy(packet + tag_bytes, &item, sizeof item);
          }};
}

double seconds_for(const std::function<void()>& work) {
  double best = 1;
  for (int i = 0; i < 200; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

void measure(const sort_of_item& sort) {
  constexpr std::size_t buffer_bytes = 16384;
  const std::size_t n = buffer_bytes / sort.bytes;
  const boxcar::cargo what{
      .tag_bytes = 0, .item_bytes = sort.bytes, .packet_bytes = sort.bytes, .max_items = n};
  const auto codec = boxcar::standard_codec();
  const boxcar::codec_layout layout = codec->plan(what).value();
  std::vector<std::byte> packets(buffer_bytes);
  std::vector<std::byte> compressed(buffer_bytes + layout.overrun);
  dice d(1);
  for (std::size_t i = 0; i < n; ++i) sort.fill(packets.data() + i * sort.bytes, d);

  std::size_t bytes = 0;
  const double compressing = seconds_for([&] {
    bytes = codec->compress(what, nullptr, n, packets.data(), buffer_bytes, compressed.data());
  });
  const auto total = static_cast<double>(n * sort.bytes);
  std::printf("| %-42s | %5.1f %% | %6.1f |", sort.name,
              100 * (bytes == 0 ? 1 : static_cast<double>(bytes) / total),
              total / compressing * 1e-9);
  if (bytes == 0) {
    std::printf("        |\n");
    return;
  }
  const double decompressing = seconds_for(
      [&] { codec->decompress(what, nullptr, n, bytes, compressed.data(), packets.data()); });
  std::printf(" %6.1f |\n", total / decompressing * 1e-9);
}

}  // namespace

int main() {
  std::printf("| items in buffers of 16 KiB | sent | compressed, GB/s | decompressed, GB/s |\n");
  measure(masked("8 bytes, all the same", 0));
  measure(masked("8 bytes, below 2^20", 0xfffff));
  measure(masked("8 bytes, below 2^24", 0xffffff));
  measure(masked("8 bytes, 20 random bits and 5 further up", 0x1f'000f'ffff));
  measure(masked("8 bytes, every fourth bit random", 0x1111'1111'1111'1111));
  measure(masked("8 bytes, below 2^20, and a tag of 1 byte", 0xfffff, 1));
  measure(masked("8 bytes, below 2^20, and a tag of 2 bytes", 0xfffff, 2));
  measure({"100 bytes, half of them random", 100, [](std::byte* item, dice& d) {
             std::fill_n(item, 100, std::byte{0});
             std::generate_n(item, 50, [&] { return static_cast<std::byte>(d.next()); });
           }});
  measure(masked("8 bytes, random", ~std::uint64_t{0}));
}
