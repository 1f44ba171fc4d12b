// Adapters, schedules and collectives: operations that counters trigger.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <boxcar/adapter.hpp>
#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/window.hpp>
#include <boxcar/world.hpp>

#include "exploration/program.hpp"

namespace boxcar::test {
namespace {

std::int64_t of(int pe) {
  return pe;
}
std::size_t place_of_all(const world& w) {
  return static_cast<std::size_t>(w.size());
}
int after(const world& w) {
  return (w.rank() + 1) % w.size();
}
int before(const world& w) {
  return (w.rank() + w.size() - 1) % w.size();
}

// Each PE passes on the messages of the PE before, up to the last PE.
void chain_of_puts(world& w) {
  constexpr std::uint64_t letters = 3;
  window<std::int64_t> numbers(w, letters);
  adapter a(w);
  a.include(numbers);
  const event_counter arrived = a.make_counter();
  for (std::uint64_t i = 0; i < letters; ++i) {
    const auto memory = std::as_writable_bytes(numbers.local().subspan(i, 1));
    a.perform(operation::append{a.make_entry({.memory = memory, .bits = i, .counter = arrived})});
    // Message i goes when i + 1 messages are here: messages come in order.
    if (w.rank() != 0 && w.rank() != w.size() - 1) {
      a.when(arrived, i + 1, operation::put{{.memory = memory}, {.pe = after(w), .bits = i}});
    }
  }
  w.barrier();
  if (w.rank() == 0) {
    for (std::uint64_t i = 0; i < letters; ++i) {
      numbers.local()[i] = 70 + static_cast<std::int64_t>(i);
      const auto memory = std::as_writable_bytes(numbers.local().subspan(i, 1));
      a.perform(operation::put{{.memory = memory}, {.pe = 1, .bits = i}});
    }
  } else {
    const event_counts is = a.wait(arrived, letters);
    require_equal(is.successes, letters, "letters");
    require_equal(is.failures, 0u, "letters that failed");
    for (std::uint64_t i = 0; i < letters; ++i) {
      require_equal(numbers.local()[i], 70 + static_cast<std::int64_t>(i), "a letter");
    }
  }
  w.barrier();
}

// All PEs add to PE 0. After the last addition, and not before, PE 0 notifies all PEs.
void join(world& w) {
  window<std::int64_t> numbers(w, 2);
  adapter a(w);
  a.include(numbers);
  const auto mine = std::as_writable_bytes(numbers.local().first(1));
  const auto sum = std::as_writable_bytes(numbers.local().last(1));
  const event_counter added = a.make_counter();
  const event_counter told = a.make_counter();
  const auto pes = static_cast<std::uint64_t>(w.size());
  a.perform(operation::append{a.make_entry({.memory = mine, .bits = 2, .counter = told})});
  if (w.rank() == 0) {
    a.perform(operation::append{a.make_entry({.memory = sum, .bits = 1, .counter = added})});
    for (int pe = 0; pe < w.size(); ++pe) {
      a.when(added, pes, operation::put{{.memory = sum}, {.pe = pe, .bits = 2}});
    }
  }
  numbers.local()[0] = 1 << w.rank();
  w.barrier();
  a.perform(operation::atomic{{.memory = mine}, {.pe = 0, .bits = 1}});
  a.wait(told, 1);
  require_equal(numbers.local()[0], (std::int64_t{1} << w.size()) - 1, "what has been joined");
  w.barrier();
}

// Operations are asked for when their threshold may have been reached.
void late_triggers(world& w) {
  window<std::int64_t> numbers(w, 2);
  adapter a(w);
  a.include(numbers);
  const auto here = std::as_writable_bytes(numbers.local().first(1));
  const auto mine = std::as_writable_bytes(numbers.local().last(1));
  const event_counter arrived = a.make_counter();
  const event_counter followed = a.make_counter();
  a.perform(operation::append{a.make_entry({.memory = here, .bits = 1, .counter = arrived})});
  numbers.local()[1] = 9 + w.rank();
  w.barrier();
  a.perform(operation::put{{.memory = mine}, {.pe = after(w), .bits = 1}});
  a.when(arrived, 1, operation::increment{followed, {.successes = 1}});
  a.wait(followed, 1);
  require_equal(numbers.local()[0], std::int64_t{9} + before(w), "what has come");
  w.barrier();
}

// Fetches are answered while no PE looks.
void fetches(world& w) {
  window<std::int64_t> numbers(w, 3);
  adapter a(w);
  a.include(numbers);
  const auto at = [&](std::size_t i) {
    return std::as_writable_bytes(numbers.local().subspan(i, 1));
  };
  const event_counter answered = a.make_counter();
  a.perform(operation::append{
      a.make_entry({.memory = at(0), .bits = 1, .allows_put = true, .allows_get = true})});
  numbers.local()[1] = 1;
  w.barrier();
  const operation::fetch_atomic ask{{.memory = at(2), .counter = answered, .counts_replies = true},
                                    {.memory = at(1)},
                                    {.pe = 0, .bits = 1}};
  a.perform(ask);
  a.wait(answered, 1);
  const std::int64_t first = numbers.local()[2];
  a.perform(ask);
  while (!a.test(answered, 2)) {
  }
  const std::int64_t both = first + numbers.local()[2];
  const std::int64_t pes = w.size();
  require_equal(w.reduce(both), pes * (2 * pes - 1), "the sum of tickets");
  if (w.rank() == 0) require_equal(numbers.local()[0], 2 * pes, "tickets");
  w.barrier();
}

// Each PE sends to both neighbours, and sends on the sum of the received messages.
void graph(world& w, const schedule_options& options) {
  window<std::int64_t> numbers(w, 4);
  const auto one = [&](std::size_t i) { return numbers.local().subspan(i, 1); };
  schedule_builder b(w);
  b.use(numbers);
  b.send(one(0), after(w), 1);
  b.send(one(0), before(w), 2);
  const auto from_before = b.receive(one(1), before(w), 1);
  const auto from_after = b.receive(one(2), after(w), 2);
  const auto joined = b.combine(one(1), one(2));
  b.depend(joined, from_before);
  b.depend(joined, from_after);
  const auto sent_on = b.send(one(2), after(w), 3);
  b.depend(sent_on, joined);
  b.receive(one(3), before(w), 3);
  schedule s = b.compile(options);
  for (std::int64_t run = 1; run <= 2; ++run) {
    numbers.local()[0] = 100 * run + w.rank();
    s.start();
    if (run == 1) {
      s.wait();
    } else {
      while (!s.test()) {
      }
    }
    require_equal(numbers.local()[2], 200 * run + of(before(w)) + of(after(w)), "a sum");
    const int last = before(w);
    const int size = w.size();
    require_equal(numbers.local()[3],
                  200 * run + of((last + 1) % size) + of((last + size - 1) % size),
                  "the sum of another PE");
  }
}
void graph_eager(world& w) {
  graph(w, {.eager_bytes = 4096, .eager_bytes_within_node = 4096});
  w.barrier();
}
void graph_by_rendezvous(world& w) {
  graph(w, {.eager_bytes = 0, .eager_bytes_within_node = 0});
  w.barrier();
}
// Each PE destroys its schedule while the runs of other PEs may be about to end.
void graphs_without_a_barrier(world& w) {
  graph(w, {.eager_bytes = 0, .eager_bytes_within_node = 0});
  graph(w, {.eager_bytes = 4096, .eager_bytes_within_node = 4096});
}

void collective_runs(world& w) {
  window<std::int64_t> numbers(w, 5);
  collectives make(w);
  make.use(numbers);
  const auto mine = numbers.local().first(1);
  collective sum = make.all_reduce(mine, numbers.local().subspan(1, 1), std::plus<>());
  collective from_one = make.broadcast(numbers.local().subspan(2, 1), 1);
  collective barrier = make.barrier();
  for (std::int64_t run = 1; run <= 2; ++run) {
    numbers.local()[0] = run * (w.rank() + 1);
    numbers.local()[2] = w.rank() == 1 ? 50 + run : 0;
    sum.start();
    from_one.start();
    from_one.wait();
    sum.wait();
    require_equal(numbers.local()[1], run * w.size() * (w.size() + 1) / 2, "a sum");
    require_equal(numbers.local()[2], 50 + run, "what was broadcast");
    barrier.start();
    barrier.wait();
  }
  w.barrier();
}

// A PE leaves a barrier only after all PEs have come.
void barriers(world& w, topology over) {
  window<std::int64_t> here(w, place_of_all(w));
  collectives make(w);
  collective barrier = make.barrier({.over = over});
  for (std::int64_t run = 1; run <= 3; ++run) {
    for (int pe = 0; pe < w.size(); ++pe) here.store(run, pe, static_cast<std::size_t>(w.rank()));
    here.flush();
    barrier.start();
    barrier.wait();
    for (int pe = 0; pe < w.size(); ++pe) {
      const std::int64_t seen = here.load(w.rank(), static_cast<std::size_t>(pe));
      if (seen < run) throw wrong_result("a barrier ended before a PE had come");
    }
  }
  w.barrier();
}

void disseminating_barriers(world& w) {
  barriers(w, topology::dissemination);
}
void tree_barriers(world& w) {
  barriers(w, topology::k_ary_tree);
}

// The root runs ahead of the PEs that take the root's values.
void broadcasts_in_memory(world& w) {
  collectives make(w);
  std::vector<std::int64_t> value(512);  // the root is at most 4 runs ahead with so many elements
  collective from_two = make.broadcast(std::span(value), 2, {.over = topology::shared_memory});
  for (std::int64_t run = 1; run <= 7; ++run) {
    value.back() = w.rank() == 2 ? 50 + run : 0;
    from_two.start();
    from_two.wait();
    require_equal(value.back(), 50 + run, "what was broadcast");
  }
  w.barrier();
}

void started_runs(world& w) {
  std::vector<std::int64_t> mine(1);
  std::vector<std::int64_t> total(1);
  for (std::int64_t run = 1; run <= 6; ++run) {
    mine[0] = run + w.rank();
    collective_run sum = w.all_reduce_async(std::span(mine), std::span(total));
    sum.wait();
    require_equal(total[0], run * w.size() + of(w.size() * (w.size() - 1) / 2), "a sum");
  }
  w.barrier();
}

// The order of starts, the first of which make the objects of their kind, counts for each world
// alone.
void starts_in_two_worlds(world& w) {
  auto one = w.split(0);
  auto other = w.split(0);
  std::int64_t sum = w.rank();
  std::int64_t value = w.rank() == 0 ? 7 : 0;
  const bool is_second = w.rank() % 2 == 1;
  const auto start = [&](world& in, bool sums) {
    return sums ? in.all_reduce_async(std::span(&sum, 1), std::span(&sum, 1))
                : in.broadcast_async(std::span(&value, 1), 0);
  };
  collective_run first = start(is_second ? *other : *one, !is_second);
  collective_run second = start(is_second ? *one : *other, is_second);
  first.wait();
  w.barrier();
  second.wait();
  require_equal(sum, of(w.size() * (w.size() - 1) / 2), "a sum");
  require_equal(value, std::int64_t{7}, "what was broadcast");
}

}  // namespace

std::vector<program> trigger_programs() {
  return {{"chain_of_puts", 4, 2, chain_of_puts},
          {"chain_within_a_node", 4, 0, chain_of_puts},
          {"join", 3, 2, join},
          {"join_within_a_node", 3, 0, join},
          {"late_triggers", 3, 2, late_triggers},
          {"disseminating_barriers", 4, 2, disseminating_barriers},
          {"tree_barriers", 3, 2, tree_barriers},
          {"broadcasts_in_memory", 3, 0, broadcasts_in_memory},
          {"fetches", 3, 2, fetches},
          {"graph_eager", 3, 2, graph_eager},
          {"graph_by_rendezvous", 3, 2, graph_by_rendezvous},
          {"graph_within_a_node", 3, 0, graph_by_rendezvous},
          {"collectives", 3, 2, collective_runs},
          {"collectives_within_a_node", 3, 0, collective_runs},
          {"graphs_without_a_barrier", 3, 0, graphs_without_a_barrier},
          {"started_collectives", 3, 2, started_runs},
          {"starts_in_two_worlds", 3, 2, starts_in_two_worlds}};
}

}  // namespace boxcar::test
