#include "one_sided_cases.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include <boxcar/append_buffer.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/window.hpp>

namespace {

using numbers = boxcar::window<std::uint64_t>;

// Calls `operation(window, index, pe)`, and then counts as the client alone would.
template <typename Operation>
[[gnu::noinline]] void on_elements(boxcar::world& w, std::size_t n, table& tally,
                                   const Operation& operation) {
  numbers elements(w, table_size);
  const destinations to(w.size());
  for (std::size_t i = 0; i < n; ++i) operation(elements, slot_of(i), to.of(i));
  w.barrier();
  phase_pull(nobody(), n, tally);
}

[[gnu::noinline]] std::size_t phase_push(numbers& a, boxcar::counter& c, std::size_t i,
                                         std::size_t n) {
  for (; i < n; ++i) a.put(slot_of(i), 1, slot_of(i), c);
  return i;
}

// Elements that are already there are served first.
[[gnu::noinline]] void phase_pull(boxcar::counter& c, std::size_t i, std::size_t n, table& tally) {
  while (c.value() < static_cast<std::int64_t>(n)) continue;
  for (; i < n; ++i) ++tally[opaque(0)];
}

}  // namespace

void put(boxcar::world& w, std::size_t n, table& tally) {
  on_elements(w, n, tally, [](numbers& a, std::uint64_t i, int pe) { a.put(i, pe, i); });
}

void get(boxcar::world& w, std::size_t n, table& tally) {
  on_elements(w, n, tally, [](numbers& a, std::uint64_t i, int pe) { opaque(a.get(pe, i)); });
}

void add(boxcar::world& w, std::size_t n, table& tally) {
  on_elements(w, n, tally, [](numbers& a, std::uint64_t i, int pe) { a.add(1, pe, i); });
}

void fetch_add(boxcar::world& w, std::size_t n, table& tally) {
  on_elements(w, n, tally,
              [](numbers& a, std::uint64_t i, int pe) { opaque(a.fetch_add(1, pe, i)); });
}

// PE 0 puts until the room is used up, PE 1 takes the elements, and so on: outside the library each
// PE waits for the other, so that no PE polls in vain.
void counting_put(boxcar::world& w, std::size_t n, table& tally) {
  constexpr std::size_t at_once = 16;
  static std::atomic<std::size_t> sent = 0;
  static std::atomic<std::size_t> taken = 0;
  const auto wait_for = [](const std::atomic<std::size_t>& a, std::size_t value) {
    while (a.load(std::memory_order_acquire) < value) std::this_thread::yield();
  };
  numbers elements(w, table_size);
  boxcar::counter arrived(w);
  if (w.rank() == 0) sent = taken = 0;
  w.barrier();
  const std::size_t all = n * static_cast<std::size_t>(w.size());
  for (std::size_t i = 0; i < all;) {
    const std::size_t next = std::min(i + at_once, all);
    if (w.rank() == 0) {
      sent.store(phase_push(elements, arrived, i, next), std::memory_order_release);
      wait_for(taken, next);
    } else {
      wait_for(sent, next);
      phase_pull(arrived, i, next, tally);
      taken.store(next, std::memory_order_release);
    }
    i = next;
  }
  w.barrier();
}

void aggregated_append(boxcar::world& w, std::size_t n, table& tally) {
  boxcar::append_buffer<std::uint64_t> b(
      w, n, {.aggregate = true, .conveyor = {.hops = 1, .buffer_bytes = buffer_bytes}});
  const destinations to(w.size());
  for (std::size_t i = 0; i < n; ++i) b.push(slot_of(i), to.of(i));
  b.finish();
  phase_pull(nobody(), b.arrived().size(), tally);
}
