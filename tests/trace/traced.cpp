// traced [WHAT]: a program to be traced. Each PE prints its own account of sent messages: "PE 1
// sent 20 buffers of 4000 bytes, handled 30 items, sent 4 messages".
//
// WHAT: "throw": PE 1, or the only PE, fails in the middle of a session; "twice": two worlds of
// threads, one after the other; "part": the world itself is gone while a subworld works on.
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <boxcar/boxcar.hpp>

namespace {

struct account {
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;
  std::uint64_t handled = 0;
  std::uint64_t messages = 0;  // of waves

  void add(const boxcar::hop_statistics& hop) {
    buffers += hop.buffers();
    bytes += hop.bytes();
  }
  void add(const boxcar::stream_statistics& s) {
    for (const boxcar::hop_statistics& stage : s.stages) add(stage);
    handled += s.handled;
    messages += s.control_messages;
  }
};

void use_conveyor(boxcar::world& w, const boxcar::conveyor_options& options, int items,
                  account& mine, bool fails = false) {
  boxcar::conveyor<long> c(w, options);
  for (int session = 0; session < 2; ++session) {
    const boxcar::session s = c.begin();
    int pushed = 0;
    long pulled = 0;
    do {
      while (pushed < items && c.push(pushed, pushed % w.size())) {
        if (++pushed == items / 2 && fails) throw std::runtime_error("the reactor is too hot");
      }
      while (c.pull(pulled)) continue;
    } while (c.advance(pushed == items));
    for (const boxcar::hop_statistics& hop : c.session_statistics().hops) mine.add(hop);
  }
}

void use_elastic_conveyor(boxcar::world& w, account& mine) {
  boxcar::elastic_conveyor c(w, 1000);
  const boxcar::session s = c.begin();
  constexpr int items = 300;
  int pushed = 0;
  do {
    while (pushed < items &&
           c.push(std::string(static_cast<std::size_t>(pushed), 'a'), pushed % w.size())) {
      ++pushed;
    }
    while (c.pull()) continue;
  } while (c.advance(pushed == items));
  for (const boxcar::hop_statistics& hop : c.session_statistics().hops) mine.add(hop);
}

void use_stream(boxcar::world& w, account& mine) {
  long sum = 0;
  boxcar::stream<int> numbers(w, [&](int n) { sum += n; });
  const boxcar::session session = numbers.begin();
  for (int i = 0; i < 5000; ++i) numbers.send(i, i % w.size());
  numbers.finish();
  mine.add(numbers.session_statistics());
}

void use_remote_function(boxcar::world& w, account& mine) {
  boxcar::remote_function twice(w, [](int n) { return 2 * n; },
                                {.calls = {}, .replies = {}, .name = "twice"});
  const boxcar::session session = twice.begin();
  for (int i = 0; i < 20; ++i) static_cast<void>(twice.ask(i % w.size(), i).wait());
  twice.finish();
  const boxcar::remote_function_statistics s = twice.session_statistics();
  mine.add(s.calls);
  mine.add(s.replies);
}

void use_collectives(boxcar::world& w) {
  for (int step = 0; step < 3; ++step) {
    double value = step;
    double sum = 0;
    boxcar::collective_run run = w.all_reduce_async(std::span(&value, 1), std::span(&sum, 1));
    run.wait();
  }
}

void use_schedule(boxcar::world& w) {
  boxcar::window<double> data(w, 2);
  boxcar::schedule_builder graph(w);
  graph.use(data);
  graph.send(data.local().first(1), (w.rank() + 1) % w.size());
  graph.receive(data.local().last(1));
  boxcar::schedule ring = graph.compile();
  ring.start();
  ring.wait();
}

void print(const boxcar::world& w, const account& mine) {
  std::printf("PE %d sent %llu buffers of %llu bytes, handled %llu items, sent %llu messages\n",
              w.rank(), static_cast<unsigned long long>(mine.buffers),
              static_cast<unsigned long long>(mine.bytes),
              static_cast<unsigned long long>(mine.handled),
              static_cast<unsigned long long>(mine.messages));
  std::fflush(stdout);
}

void use_everything(boxcar::world& w) {
  account mine;
  use_conveyor(w, {.buffer_bytes = 1000}, 3000, mine);
  use_conveyor(w, {.hops = 2, .buffer_bytes = 1000}, 3000, mine);
  use_conveyor(w, {.kind = boxcar::conveyor_kind::simple, .buffer_bytes = 1000}, 3000, mine);
  use_elastic_conveyor(w, mine);
  use_stream(w, mine);
  use_remote_function(w, mine);
  use_collectives(w);
  use_schedule(w);
  if (auto half = w.split(w.rank() % 2)) use_conveyor(*half, {.buffer_bytes = 1000}, 500, mine);
  w.barrier();
  print(w, mine);
}

void use_part() {
  boxcar::world w = boxcar::join();
  w = *w.split(0);
  account mine;
  use_conveyor(w, {.buffer_bytes = 1000}, 3000, mine);
  w.barrier();
  print(w, mine);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "part") {
    use_part();
    return 0;
  }
  if (what == "twice") {
    boxcar::run(2, use_everything);
    boxcar::run(3, use_everything);
    return 0;
  }
  return boxcar::run([&](boxcar::world& w) {
    std::printf("begun\n");
    std::fflush(stdout);
    if (what != "throw") return use_everything(w);
    account mine;
    use_conveyor(w, {.buffer_bytes = 1000}, 3000, mine);
    use_conveyor(w, {.buffer_bytes = 1000}, 3000, mine, w.rank() == w.size() - 1);
  });
}
