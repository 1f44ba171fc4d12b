// PHOLD (tram-thesis-2014, section 7.1.3): logical processes send one another events; all PEs
// process the events of a window of time before the events of the next window.
//
//   processes=N   on each PE
//   events=N      of each process at the beginning
//   local=N       per cent of the events that stay on their PE
//   windows=N
//   event_ns=N    nanoseconds to process an event
//   buffer=N      bytes; 20 are one event and its destination
//   dimensions=N  of the grid that they travel on
//
// Prints `seconds`, and the number of `events`.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "arguments.hpp"
#include "report.hpp"
#include "support/random_stream.hpp"

namespace {

struct event {
  double time;
  std::uint64_t process;
  friend bool operator>(const event& a, const event& b) { return a.time > b.time; }
};

}  // namespace

int main(int count, char** words) {
  const experiments::arguments a(count, words);
  return boxcar::run([&](boxcar::world& w) {
    const long processes = a.number("processes", 40);
    const long windows = a.number("windows", 4);
    const std::chrono::nanoseconds of_event(a.number("event_ns", 0));
    const double share = static_cast<double>(a.number("local", 90)) / 100;
    examples::random_stream random(a.seed(), w.rank());
    std::priority_queue<event, std::vector<event>, std::greater<>> pending;
    // The delay is a window at least, and two on average.
    const auto later = [&](double time) { return time + 1 - std::log(random.uniform()); };
    for (long i = 0; i < processes * a.number("events", 16); ++i) {
      pending.push({later(-1), static_cast<std::uint64_t>(i % processes)});
    }

    boxcar::stream_options options;
    options.buffer_bytes = static_cast<std::size_t>(a.number("buffer", 0));
    const int dimensions = static_cast<int>(a.number("dimensions", 2));
    options.way = boxcar::route::balanced(w.size(), dimensions, w.local_size());
    boxcar::stream<event> events(
        w, [&](const event& e) { pending.push(e); }, options);

    std::uint64_t happened = 0;
    const double seconds = experiments::seconds_of(w, [&] {
      for (long window = 0; window < windows; ++window) {
        const auto session = events.begin();
        while (!pending.empty() && pending.top().time < static_cast<double>(window) + 1) {
          const double now = pending.top().time;
          pending.pop();
          ++happened;
          if (of_event.count() != 0) w.compute(of_event);
          const event next{later(now), random() % static_cast<std::uint64_t>(processes)};
          if (random.uniform() < share) {
            pending.push(next);
          } else {
            events.send(next, random.below(w.size()));
          }
        }
        events.finish();
      }
    });
    experiments::report(w, "seconds", seconds);
    experiments::report(w, "events", static_cast<double>(w.reduce(happened)));
  });
}
