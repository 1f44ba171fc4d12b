// PHOLD: a simulation of logical processes that send one another events, a usual benchmark of
// simulators (tram-thesis-2014, section 7.1.3). An event happens to a process at a time, changes
// the process's state, and causes another event, at a random process, never sooner than the
// lookahead. So all events of a window as long as the lookahead can be processed before any event
// that they cause: the PEs proceed window by window, and the events travel by a stream, one session
// for each window. The final states, which depend on the order of all events, are compared with the
// states of a simulation that has one queue.
//
//   boxcar run -n 4 -- phold

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <queue>
#include <tuple>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/random.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/stopwatch.hpp"

namespace {

using ticks = std::uint64_t;

struct event {
  ticks time;
  std::uint64_t process;
  std::uint64_t chance;  // no two events have the same, hardly
};

struct later {
  bool operator()(const event& a, const event& b) const {
    return std::tie(a.time, a.process, a.chance) > std::tie(b.time, b.process, b.chance);
  }
};
using event_queue = std::priority_queue<event, std::vector<event>, later>;

struct model {
  std::uint64_t processes;
  std::uint64_t events_each;  // at the beginning
  ticks lookahead;
  ticks mean_delay;  // beyond the lookahead
  ticks end;

  // A random event from `chance`, at least the lookahead after `time`.
  [[nodiscard]] event drawn(ticks time, std::uint64_t chance) const {
    const double uniform = static_cast<double>((chance >> 11) + 1) * 0x1p-53;  // above 0, up to 1
    const double delay = -std::log(uniform) * static_cast<double>(mean_delay);
    return {time + lookahead + static_cast<ticks>(delay), examples::mix(chance) % processes,
            chance};
  }
  [[nodiscard]] event first(std::uint64_t process, std::uint64_t number) const {
    event e = drawn(0, examples::mix(process * events_each + number));
    e.process = process;
    return e;
  }
  // Applies the event to a process in `state`; returns the event that it causes.
  [[nodiscard]] event happens(const event& e, std::uint64_t& state) const {
    state = examples::mix(state ^ e.chance ^ e.time);
    return drawn(e.time, examples::mix(state + 1));
  }
};

struct outcome {
  std::vector<std::uint64_t> states;  // states of the processes of the PE, every pes-th
  std::uint64_t events = 0;
  std::uint64_t windows = 0;
};

outcome simulate(boxcar::world& w, const model& m) {
  const auto pes = static_cast<std::uint64_t>(w.size());
  const auto rank = static_cast<std::uint64_t>(w.rank());
  outcome result;
  result.states.resize(m.processes / pes + 1);
  event_queue coming;
  for (std::uint64_t p = rank; p < m.processes; p += pes) {
    for (std::uint64_t i = 0; i < m.events_each; ++i) coming.push(m.first(p, i));
  }
  boxcar::stream<event> caused(w, [&](const event& e) { coming.push(e); });
  const auto earliest = [&] {
    return w.reduce(coming.empty() ? m.end : coming.top().time,
                    [](ticks a, ticks b) { return std::min(a, b); });
  };
  for (ticks now = earliest(); now < m.end; now = earliest(), ++result.windows) {
    const ticks before = std::min(now + m.lookahead, m.end);
    // Events that arrive meanwhile belong behind the window.
    const boxcar::session window = caused.begin(boxcar::staged(1));
    while (!coming.empty() && coming.top().time < before) {
      const event e = coming.top();
      coming.pop();
      const event next = m.happens(e, result.states[e.process / pes]);
      caused.send(next, static_cast<int>(next.process % pes));
      ++result.events;
    }
    caused.done();
    caused.finish();
  }
  return result;
}

outcome simulate_alone(const model& m) {
  outcome result;
  result.states.resize(m.processes);
  event_queue coming;
  for (std::uint64_t p = 0; p < m.processes; ++p) {
    for (std::uint64_t i = 0; i < m.events_each; ++i) coming.push(m.first(p, i));
  }
  for (; coming.top().time < m.end; ++result.events) {
    const event e = coming.top();
    coming.pop();
    coming.push(m.happens(e, result.states[e.process]));
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Simulates processes that send one another events.");
    const auto pes = static_cast<std::uint64_t>(w.size());
    model m{};
    m.processes = pes * given.number("--processes", 40, {1, 1'000'000}, "processes of a PE");
    m.events_each = given.number("--events", 64, {1, 1'000'000}, "events of a process");
    m.lookahead = given.number("--lookahead", 100, {1, 1'000'000}, "least delay of an event");
    m.mean_delay = given.number("--delay", 900, {0, 1'000'000}, "mean delay beyond that");
    m.end = given.number("--until", 20'000, {1, 1'000'000'000}, "time at which it ends");
    if (!given.complete(w)) return;

    examples::stopwatch watch(w);
    const outcome result = simulate(w, m);
    const double seconds = watch.seconds();

    const outcome right = simulate_alone(m);
    for (auto p = static_cast<std::uint64_t>(w.rank()); p < m.processes; p += pes) {
      examples::require(result.states[p / pes] == right.states[p],
                        "a process is not in the state that one queue brings it into");
    }
    const std::uint64_t events = w.reduce(result.events);
    examples::require(events == right.events, "there were not as many events as with one queue");
    if (w.rank() == 0) {
      std::printf("%s events of %s processes in %s windows in %.3f s\n",
                  examples::with_commas(events).c_str(), examples::with_commas(m.processes).c_str(),
                  examples::with_commas(result.windows).c_str(), seconds);
    }
  });
}
