// Windows, counters and append buffers, within a node and between nodes.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/append_buffer.hpp>
#include <boxcar/counter.hpp>
#include <boxcar/error.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

#include "exploration/program.hpp"

namespace boxcar::test {
namespace {

std::size_t place(int pe) {
  return static_cast<std::size_t>(pe);
}

// Data, then a counter: what the counter shows is there.
void counted_puts(world& w, managed_by who) {
  window<int> values(w, place(2 * w.size()));
  counter arrived(w, {.managed = who});
  const auto mine = place(2 * w.rank());
  for (int turn = 1; turn <= 2; ++turn) {
    const std::array<int, 2> data{100 * turn + w.rank(), 200 * turn + w.rank()};
    for (int pe = 0; pe < w.size(); ++pe) values.put(data, pe, mine, arrived);
    arrived.wait(turn * w.size());
    for (int pe = 0; pe < w.size(); ++pe) {
      require_equal(values.local()[place(2 * pe)], 100 * turn + pe, "the first of a put");
      require_equal(values.local()[place(2 * pe + 1)], 200 * turn + pe, "the second of a put");
    }
    w.barrier();
  }
}
void puts_counted_by_the_receiver(world& w) {
  counted_puts(w, managed_by::receiver);
}
void puts_counted_by_the_sender(world& w) {
  counted_puts(w, managed_by::sender);
}

// A flag behind a fence.
void message_passing(world& w) {
  window<std::int64_t> values(w, 2);
  const int next = (w.rank() + 1) % w.size();
  for (std::int64_t turn = 1; turn <= 2; ++turn) {
    values.put(10 * turn + w.rank(), next, 0);
    values.fence();
    values.store(turn, next, 1);
    values.wait_until(1, [turn](std::int64_t flag) { return flag >= turn; });
    const int before = (w.rank() + w.size() - 1) % w.size();
    require_equal(values.local()[0], 10 * turn + before, "a value ahead of its flag");
    w.barrier();
  }
}

void updates(world& w) {
  window<std::int64_t> sums(w, 2);
  std::int64_t tickets = 0;
  for (int i = 0; i < 2; ++i) {
    sums.add(w.rank() + 1, 0, 0);
    tickets += sums.fetch_add(1, w.size() - 1, 1);
  }
  sums.flush();
  w.barrier();
  const std::int64_t pes = w.size();
  require_equal(sums.load(0, 0), pes * (pes + 1), "a sum");
  require_equal(sums.load(w.size() - 1, 1), 2 * pes, "tickets");
  require_equal(w.reduce(tickets), pes * (2 * pes - 1), "the sum of tickets");
  w.barrier();
}

// What is got was put before a barrier.
void gets(world& w) {
  window<int> values(w, 3);
  const int next = (w.rank() + 1) % w.size();
  values.put(7 + w.rank(), next, 1);
  values.flush();
  w.barrier();
  std::array<int, 3> found{};
  values.get_nbi(found, next, 0);
  values.flush(next);
  require_equal(found[1], 7 + w.rank(), "what was got");
  require_equal(values.get(w.rank(), 1), 7 + (w.rank() + w.size() - 1) % w.size(), "one's own");
  w.barrier();
}

// A counter handed round.
void relay(world& w) {
  counter turn(w);
  const int next = (w.rank() + 1) % w.size();
  for (int round = 1; round <= 2; ++round) {
    if (w.rank() == 0) turn.add(next);
    turn.wait(round);
    require_equal(turn.value(), round, "rounds");
    if (w.rank() != 0) turn.add(next);
  }
  w.barrier();
}

// Looking instead of waiting.
void tests_of_counters(world& w) {
  counter c(w);
  for (int pe = 0; pe < w.size(); ++pe) c.add(pe);
  while (!c.test(w.size())) {
  }
  while (c.value() < w.size()) {
  }
  require_equal(c.value(), w.size(), "a counter");
  w.barrier();
}

void appends(world& w, const append_options& options) {
  constexpr int each = 2;
  append_buffer<int> buffer(w, place(2 * each * w.size()), options);
  for (int turn = 1; turn <= 2; ++turn) {
    for (int i = 0; i < each; ++i) {
      const std::array<int, 2> pair{1000 * turn + 10 * w.rank() + i, -(10 * w.rank() + i)};
      for (int pe = 0; pe < w.size(); ++pe) {
        require_equal(buffer.push(pair, pe), 2u, "elements that were pushed");
      }
    }
    const auto all = place(2 * each * w.size());
    buffer.wait(all);
    buffer.wait_messages(all / 2);
    int sum = 0;
    std::vector<int> last(place(w.size()), -1);
    const std::span<int> arrived = buffer.arrived();
    require_equal(arrived.size(), all, "elements that can be read");
    for (std::size_t i = 0; i < all; i += 2) {
      const int number = -arrived[i + 1];
      require_equal(arrived[i], 1000 * turn + number, "the other half of a push");
      const int pe = number / 10;
      if (options.managed != managed_by::sender) {
        require_equal(number % 10, last.at(place(pe)) + 1, "the next push of a PE");
      }
      last.at(place(pe)) = number % 10;
      sum += number;
    }
    require_equal(sum, each * 5 * w.size() * (w.size() - 1) + w.size() * each * (each - 1) / 2,
                  "a sum");
    w.barrier();
    buffer.reset();
    w.barrier();
  }
}
void appends_by_the_receiver(world& w) {
  appends(w, {.managed = managed_by::receiver});
}
void appends_by_the_sender(world& w) {
  appends(w, {.managed = managed_by::sender});
}
// What can be read while others push is whole.
void looks_at_appends(world& w) {
  append_buffer<int> buffer(w, place(2 * w.size()), {.managed = managed_by::sender});
  const std::array<int, 2> pair{100 + w.rank(), -w.rank()};
  for (int pe = 0; pe < w.size(); ++pe) buffer.push(pair, pe);
  for (bool is_over = false; !is_over;) {
    const std::span<int> arrived = buffer.arrived();
    for (std::size_t i = 0; i + 1 < arrived.size(); i += 2) {
      require_equal(arrived[i], 100 - arrived[i + 1], "an element that can be read");
    }
    is_over = arrived.size() == place(2 * w.size());
    if (!is_over) w.idle();
  }
  w.barrier();
}
void appends_in_rounds(world& w) {
  appends(w, {.in_rounds = true});
}

// PE 0 resets its buffer as often as it can, also while a push has a place and no data yet. A reset
// that is refused changes nothing. A reset that succeeds drops what was read and takes nothing from
// a push: on this machine nothing happens between `arrived` and `reset`.
void early_resets(world& w) {
  constexpr int each = 2;
  append_buffer<int> buffer(w, place(2 * each * w.size()), {.managed = managed_by::sender});
  const auto push_pairs = [&] {
    for (int i = 1; i <= each; ++i) {
      const int number = 10 * w.rank() + i;
      require_equal(buffer.push(std::array<int, 2>{number, -number}, 0), 2u,
                    "elements that were pushed");
    }
  };
  const auto take_pairs = [&] {
    int sum = 0;
    for (int pairs = 0; pairs < each * (w.size() - 1);) {
      const append_counts now = buffer.counts();
      require_equal(now.completed > now.reserved, false,
                    "elements are complete that have no place");
      const std::span<int> arrived = buffer.arrived();
      try {
        buffer.reset();
      } catch (const contract_error&) {
        continue;
      }
      for (std::size_t i = 0; i < arrived.size(); i += 2) {
        require_equal(arrived[i + 1], -arrived[i], "the other half of a push");
        sum += arrived[i];
        ++pairs;
      }
    }
    const int others = w.size() - 1;
    require_equal(sum, each * 5 * others * w.size() + others * each * (each + 1) / 2,
                  "a sum of pushes between resets");
  };
  if (w.rank() == 0) {
    take_pairs();
  } else {
    push_pairs();
  }
  w.barrier();
}

// There is room for a part only: what was taken is what is there.
void full_buffers(world& w) {
  append_buffer<int> buffer(w, 3, {.full = when_full::truncate});
  const std::array<int, 2> pair{w.rank(), w.rank()};
  const auto taken = static_cast<int>(buffer.push(pair, 0));
  buffer.finish();
  if (w.rank() == 0) {
    require_equal(buffer.arrived().size(), 3u, "elements in a full buffer");
    require_equal(buffer.refused(), place(2 * w.size() - 3), "elements without room");
  }
  require_equal(w.reduce(taken), 3, "elements that were taken");
  w.barrier();
}

// What others reach for stays until they have it.
void leaves_first(world& w) {
  window<int> values(w, 1);
  values.local()[0] = 40 + w.rank();
  w.barrier();
  require_equal(values.get((w.rank() + 1) % w.size(), 0), 40 + (w.rank() + 1) % w.size(),
                "an element of a PE that may be leaving");
}

void finished_appends(world& w) {
  append_buffer<int> buffer(w, place(2 * w.size()), {.aggregate = true, .conveyor = {.hops = 1}});
  for (int i = 0; i < 2; ++i) {
    for (int pe = 0; pe < w.size(); ++pe) buffer.push(w.rank() + 1, pe);
  }
  buffer.finish();
  int sum = 0;
  for (const int n : buffer.arrived()) sum += n;
  require_equal(sum, w.size() * (w.size() + 1), "a sum of aggregated elements");
  w.barrier();
}

}  // namespace

std::vector<program> one_sided_programs() {
  return {{"puts_counted_by_the_receiver", 3, 2, puts_counted_by_the_receiver},
          {"puts_counted_by_the_sender", 3, 2, puts_counted_by_the_sender},
          {"puts_within_a_node", 3, 0, puts_counted_by_the_receiver},
          {"message_passing", 3, 2, message_passing},
          {"updates", 3, 1, updates},
          {"gets", 3, 2, gets},
          {"relay", 3, 2, relay},
          {"tests_of_counters", 3, 2, tests_of_counters},
          {"appends_by_the_receiver", 3, 2, appends_by_the_receiver},
          {"appends_by_the_sender", 3, 2, appends_by_the_sender},
          {"appends_within_a_node", 3, 0, appends_by_the_receiver},
          {"looks_at_appends", 3, 1, looks_at_appends},
          {"appends_in_rounds", 3, 1, appends_in_rounds},
          {"early_resets", 3, 1, early_resets},
          {"full_buffers", 3, 2, full_buffers},
          {"leaves_first", 3, 1, leaves_first},
          {"finished_appends", 3, 2, finished_appends}};
}

}  // namespace boxcar::test
