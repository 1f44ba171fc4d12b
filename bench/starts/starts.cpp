// Measures the time that a PE takes to start a restarted schedule, on either side of a message
// within a node.
//
//   BOXCAR_PES=2 starts       PEs that are threads
//   boxcar run -n 2 starts    or processes
//
// PE 0 sends 8 bytes, PE 1 receives them, and nothing else. In each run one PE starts when the
// other has started: the second PE finds the message due, and delivers it. Prints the median of the
// starts of each PE, as the first and as the second, in nanoseconds; the cost of the clock is
// subtracted.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/schedule.hpp>

namespace {

constexpr std::uint64_t runs = 10'000;

using steady = std::chrono::steady_clock;

double median(std::vector<double> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

// Returns the duration in nanoseconds.
template <typename Work>
double duration_of(const Work& work) {
  const auto begin = steady::now();
  work();
  return std::chrono::duration<double, std::nano>(steady::now() - begin).count();
}

double cost_of_the_clock() {
  std::vector<double> all(runs);
  std::ranges::generate(all, [] { return duration_of([] {}); });
  return median(std::move(all));
}

// Signals of increasing numbers, from one PE to another.
class signals {
 public:
  explicit signals(boxcar::world& w) : numbers_(w, 1) {}
  void say(int pe, std::uint64_t number) { numbers_.store(number, pe, 0); }
  void await(int me, std::uint64_t number) {
    while (numbers_.load(me, 0) < number) {
    }
  }

 private:
  boxcar::window<std::uint64_t> numbers_;
};

// Measures the starts of the PE, if PE `first` starts first.
double start_of(boxcar::world& w, boxcar::schedule& message, int first) {
  const int me = w.rank();
  signals started(w);
  signals ended(w);
  std::vector<double> all;
  for (std::uint64_t run = 1; run <= runs; ++run) {
    if (me != first) started.await(me, run);
    all.push_back(duration_of([&] { message.start(); }));
    if (me == first) started.say(1 - me, run);
    message.wait();
    ended.say(1 - me, run);
    ended.await(me, run);
  }
  w.barrier();
  return median(std::move(all));
}

void measure(boxcar::world& w) {
  const int me = w.rank();
  if (w.size() != 2) throw std::invalid_argument("start 2 PEs, not " + std::to_string(w.size()));
  boxcar::window<std::uint64_t> data(w, 8);
  boxcar::schedule_builder graph(w);
  graph.use(data);
  if (me == 0) {
    graph.send(data.local().first(1), 1);
  } else {
    graph.receive(data.local().first(1), 0);
  }
  boxcar::schedule message = graph.compile();
  const double clock = cost_of_the_clock();
  std::array<double, 2> mine;
  for (const int first : {0, 1}) {
    mine[first == me ? 0 : 1] = start_of(w, message, first) - clock;
  }
  for (const int pe : {0, 1}) {
    std::array<double, 2> of = mine;
    w.broadcast(std::span(of), pe);
    if (me == 0) {
      std::printf("%s: %4.0f ns as the first, %4.0f ns as the second\n",
                  pe == 0 ? "sender  " : "receiver", of[0], of[1]);
    }
  }
}

}  // namespace

int main() {
  return boxcar::run(measure);
}
