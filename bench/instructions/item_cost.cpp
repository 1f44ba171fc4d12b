// Sends N items of 8 bytes through one kind of conveyor, to be counted by valgrind's callgrind: the
// difference between two N is what an item costs, push, pivots, pull and client together.
//
//   item_cost CASE N
//
// The case "client" is the client's part alone, to be subtracted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

namespace {

constexpr std::uint64_t table_size = 1024;
using table = std::vector<std::uint64_t>;

// Keeps the compiler from knowing the value, at no cost.
std::uint64_t opaque(std::uint64_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

void client(std::size_t n, table& tally) {
  for (std::size_t i = 0; i < n; ++i) opaque(i & (table_size - 1));
  for (std::size_t i = 0; i < n; ++i) ++tally[opaque(0)];
}

void fixed(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n, table& tally) {
  boxcar::conveyor<std::uint64_t> c(w, options);
  const boxcar::session s = c.begin();
  std::size_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      if (!c.push(i & (table_size - 1), 0)) break;
    }
    std::uint64_t slot;
    while (c.pull(slot)) ++tally[slot];
  }
}

void elastic(boxcar::world& w, int hops, std::size_t n, table& tally) {
  boxcar::elastic_conveyor c(w, 1024, {.hops = hops});
  const boxcar::session s = c.begin();
  std::size_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      const std::uint64_t slot = i & (table_size - 1);
      if (!c.push(std::as_bytes(std::span(&slot, 1)), 0)) break;
    }
    while (const auto item = c.pull()) {
      std::uint64_t slot;
      std::memcpy(&slot, item->bytes.data(), sizeof slot);
      ++tally[slot];
    }
  }
}

void convenient(boxcar::world& w, std::size_t n, table& tally) {
  boxcar::exchange<std::uint64_t>(
      w,
      [&](auto& out) {
        for (std::size_t i = 0; i < n; ++i) out.push(i & (table_size - 1), 0);
      },
      [&](std::uint64_t slot) { ++tally[slot]; });
}

void convenient_with_replies(boxcar::world& w, std::size_t n, table& tally) {
  boxcar::exchange<std::uint64_t>(
      w,
      [&](auto& ask) {
        for (std::size_t i = 0; i < n; ++i) ask.push(i & (table_size - 1), 0, i);
      },
      [](std::uint64_t slot) { return slot; },
      [&](std::uint64_t slot, std::size_t) { ++tally[slot]; });
}

void biconveyor(boxcar::world& w, std::size_t n, table& tally) {
  boxcar::biconveyor<std::uint64_t, std::uint64_t> c(w);
  const boxcar::session s = c.begin([](std::uint64_t slot) { return slot; });
  std::size_t i = 0;
  while (c.advance(i == n)) {
    for (; i < n; ++i) {
      if (!c.push(i & (table_size - 1), 0)) break;
    }
    std::uint64_t slot;
    while (c.pull(slot)) ++tally[slot];
  }
}

}  // namespace

int main(int argc, char** argv) {
  using boxcar::conveyor_kind;
  using run_case = std::function<void(boxcar::world&, std::size_t, table&)>;
  const auto of = [](const boxcar::conveyor_options& options) -> run_case {
    return [options](boxcar::world& w, std::size_t n, table& t) { fixed(w, options, n, t); };
  };
  const auto elastic_of = [](int hops) -> run_case {
    return [hops](boxcar::world& w, std::size_t n, table& t) { elastic(w, hops, n, t); };
  };
  const std::map<std::string, run_case> cases{
      {"client", [](boxcar::world&, std::size_t n, table& t) { client(n, t); }},
      {"tensor-1", of({.hops = 1})},
      {"tensor-2", of({.hops = 2})},
      {"tensor-3", of({.hops = 3})},
      {"simple", of({.kind = conveyor_kind::simple})},
      {"simple-scatter", of({.kind = conveyor_kind::simple, .scatter = true})},
      {"twohop", of({.kind = conveyor_kind::twohop})},
      {"elastic-1", elastic_of(1)},
      {"elastic-2", elastic_of(2)},
      {"elastic-3", elastic_of(3)},
      {"exchange", convenient},
      {"exchange-replies", convenient_with_replies},
      {"biconveyor", biconveyor},
  };
  const auto found = argc == 3 ? cases.find(argv[1]) : cases.end();
  if (found == cases.end()) {
    std::fprintf(stderr, "usage: item_cost CASE N, where CASE is one of\n");
    for (const auto& [name, run] : cases) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  const std::size_t n = std::strtoull(argv[2], nullptr, 10);
  table tally(table_size);
  boxcar::run(1, [&](boxcar::world& w) { found->second(w, n, tally); });
  std::uint64_t sum = 0;
  for (const std::uint64_t count : tally) sum += count;
  return sum == n ? 0 : 1;
}
