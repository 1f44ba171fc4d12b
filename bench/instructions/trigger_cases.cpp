#include "trigger_cases.hpp"

#include <cstdint>

#include <boxcar/boxcar.hpp>
#include <boxcar/schedule.hpp>

namespace {

void trigger(boxcar::world& w, std::size_t n, table& tally, triggered what, std::size_t waiting) {
  namespace operation = boxcar::operation;
  boxcar::adapter a(w, {.operations = waiting + 1, .memory = 2 * sizeof(std::uint64_t)});
  const boxcar::event_counter start = a.make_counter();
  const boxcar::event_counter done = a.make_counter();
  const boxcar::event_counter replied = a.make_counter();
  const auto from = a.memory().first(sizeof(std::uint64_t));
  a.perform(operation::append{
      a.make_entry({.memory = a.memory().last(sizeof(std::uint64_t)), .counter = done})});
  operation::any o = operation::increment{done};
  if (what == triggered::put) o = operation::put{{.memory = from}, {0}};
  if (what == triggered::replied_put) {
    o = operation::put{{.memory = from, .counter = replied, .counts_replies = true}, {0}};
  }
  for (std::size_t i = 1; i <= waiting; ++i) a.when(start, i, o);
  for (std::size_t i = 1; i <= n; ++i) {
    a.when(start, waiting + i, o);
    a.perform(operation::increment{start});
  }
  phase_pull(nobody(), a.value(done).successes, tally);
}

}  // namespace

program triggers(triggered what, std::size_t waiting) {
  return [what, waiting](boxcar::world& w, std::size_t n, table& tally) {
    trigger(w, n, tally, what, waiting);
  };
}

void restart(boxcar::world& w, std::size_t n, table& tally) {
  boxcar::window<std::uint64_t> data(w, 2);
  boxcar::schedule_builder graph(w);
  graph.use(data);
  graph.send(data.local().first(1), 0);
  graph.receive(data.local().last(1), 0);
  boxcar::schedule message = graph.compile();
  for (std::size_t i = 0; i < n; ++i) {
    message.start();
    message.wait();
  }
  phase_pull(nobody(), n, tally);
}
