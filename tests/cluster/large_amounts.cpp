// large_amounts session|item BYTES: a program that sends more than fits in 32 bits, from every PE
// to the next PE: in a session of items of 64 bytes, or as one elastic item (of PE 0 only). Checks
// the arrivals.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <boxcar/boxcar.hpp>

namespace {

using number = std::uint64_t;

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

void run_session(boxcar::world& w, number bytes) {
  using item = std::array<number, 8>;
  const number items = bytes / sizeof(item);
  const int next = (w.rank() + 1) % w.size();
  const number last = items - 1;
  boxcar::conveyor<item> c(w);
  number pushed = 0;
  number pulled = 0;
  {
    const boxcar::session s = c.begin();
    while (c.advance(pushed == items)) {
      while (pushed < items && c.push({pushed, last - pushed}, next)) ++pushed;
      while (const item* arrived = c.pull_pointer()) {
        require((*arrived)[0] == pulled && (*arrived)[1] == last - pulled, "an item is wrong");
        ++pulled;
      }
    }
  }
  require(pulled == items, "items are missing");
}

number word_of(number place) {
  return place * 0x9e3779b97f4a7c15u;
}

void send_item(boxcar::world& w, number bytes) {
  const int next = 1 % w.size();
  boxcar::elastic_conveyor c(w, bytes);
  std::vector<std::byte> mine(w.rank() == 0 ? bytes : 0);
  for (number at = 0; at + sizeof(number) <= mine.size(); at += sizeof(number)) {
    const number word = word_of(at);
    std::memcpy(mine.data() + at, &word, sizeof word);
  }
  bool pushed = w.rank() != 0;
  int pulled = 0;
  const boxcar::session s = c.begin();
  while (c.advance(pushed)) {
    if (!pushed) pushed = c.push(mine, next);
    while (const auto arrived = c.pull()) {
      require(arrived->bytes.size() == bytes, "the item has another size");
      for (number at = 0; at + sizeof(number) <= bytes; at += sizeof(number)) {
        number word = 0;
        std::memcpy(&word, arrived->bytes.data() + at, sizeof word);
        require(word == word_of(at), "the item is wrong");
      }
      ++pulled;
    }
  }
  require(pulled == (w.rank() == next ? 1 : 0), "the item is not where it should be");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string_view what = argv[1];
  const number bytes = std::strtoull(argv[2], nullptr, 10);
  return boxcar::run([&](boxcar::world& w) {
    if (what == "session") {
      run_session(w, bytes);
    } else {
      send_item(w, bytes);
    }
    if (w.reduce(1) == w.size() && w.rank() == 0)
      std::printf("%llu bytes arrived\n", static_cast<unsigned long long>(bytes));
  });
}
