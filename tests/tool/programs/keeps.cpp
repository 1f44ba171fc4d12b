// keeps: objects of every kind, of the world of `boxcar::run` and of a part of the world, are kept
// beyond `run`. No function of theirs does anything then, and odd PEs destroy the objects in
// another order. With PEs as threads, one PE destroys the objects of all PEs in the next `run`.
// Each PE prints "ready" before.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/boxcar.hpp>

namespace {

// What a PE keeps of one world.
struct kept_objects {
  explicit kept_objects(boxcar::world& w)
      : window(w, 10),
        counter(w),
        appended(w, 10),
        aggregated(w, 10, {.aggregate = true}),
        adapter(w),
        barrier(w.barrier_async()),
        schedule(boxcar::schedule_builder(w).compile()),
        conveyor(w),
        stream(w, [](long) {}),
        map(w),
        array(w, 10) {}

  boxcar::window<long> window;
  boxcar::counter counter;
  boxcar::append_buffer<long> appended;
  boxcar::append_buffer<long> aggregated;
  boxcar::adapter adapter;
  boxcar::collective_run barrier;
  boxcar::schedule schedule;
  boxcar::conveyor<long> conveyor;
  boxcar::stream<long> stream;
  boxcar::distributed_map<long, long> map;
  boxcar::distributed_array<long> array;
};

struct kept_worlds {
  explicit kept_worlds(boxcar::world& whole)
      : part(*whole.split(0)), of_whole(whole), of_part(part), rank(whole.rank()) {}

  boxcar::world part;
  std::optional<kept_objects> of_whole;
  std::optional<kept_objects> of_part;
  int rank;

  void end() {
    (rank % 2 == 0 ? of_whole : of_part).reset();
    (rank % 2 == 0 ? of_part : of_whole).reset();
  }
};

int failures = 0;

void expect_refused(const char* what, const std::function<void()>& use) {
  try {
    use();
    std::printf("%s was possible after run\n", what);
  } catch (const boxcar::contract_error& e) {
    if (std::string_view(e.what()).find("has left this world") != std::string_view::npos) return;
    std::printf("%s: %s\n", what, e.what());
  }
  ++failures;
}

void use(kept_objects& kept) {
  expect_refused("a window", [&] { kept.window.wait_until(0, [](long) { return false; }); });
  expect_refused("a counter", [&] { kept.counter.wait(1); });
  expect_refused("an append buffer", [&] { kept.aggregated.finish(); });
  expect_refused("an adapter", [&] { static_cast<void>(kept.adapter.make_counter()); });
  expect_refused("a schedule", [&] { kept.schedule.start(); });
  expect_refused("a conveyor", [&] { static_cast<void>(kept.conveyor.begin()); });
  expect_refused("a stream", [&] { static_cast<void>(kept.stream.begin()); });
  expect_refused("a map", [&] { static_cast<void>(kept.map.size()); });
  expect_refused("an array", [&] { static_cast<void>(kept.array.gather({})); });
}

}  // namespace

int main() {
  std::vector<std::unique_ptr<kept_worlds>> of_pes(64);  // all PEs, if PEs are threads
  bool are_threads = false;
  const auto keep = [&](boxcar::world& w) {
    std::printf("ready\n");
    if (w.rank() == 0) are_threads = w.substrate_name() == "threads";
    of_pes[static_cast<std::size_t>(w.rank())] = std::make_unique<kept_worlds>(w);
  };
  if (const int status = boxcar::run(keep); status != 0) return status;
  for (const auto& kept : of_pes) {
    if (kept == nullptr) continue;
    expect_refused("a split", [&] { static_cast<void>(kept->part.split(0)); });
    expect_refused("take_over", [&] { kept->part.take_over(); });
    use(*kept->of_whole);
    use(*kept->of_part);
  }
  const auto end_all = [&] {
    for (const auto& kept : of_pes) {
      if (kept != nullptr) kept->end();
    }
  };
  int status = 0;
  if (are_threads) {
    status = boxcar::run([&](boxcar::world& w) {
      if (w.rank() == w.size() - 1) end_all();
      if (w.reduce(1) != w.size()) ++failures;
    });
  }
  end_all();
  of_pes.clear();
  if (failures == 0 && status == 0) std::printf("nothing is left\n");
  return failures == 0 ? status : 1;
}
