// Sends N items of 8 bytes through one kind of conveyor, to be counted by valgrind's callgrind: the
// difference between two N is the cost of an item.
//
//   item_cost CASE N...   runs each N in turn; each run ends with a call of run_has_ended
//   item_cost list        the names of all cases, one per line
//
// Pushing, advancing and pulling happen in functions that begin with `phase_` and are not inlined,
// so that callgrind tells the phases apart. The case "client" is the client's code alone, to be
// subtracted.
//
// There is one PE, and the PE never waits. But one PE leaves hops out, so that cases of several
// hops have 8 PEs that are threads; the work of waiting PEs counts as advancing. Compression needs
// nodes: 2 pretended ones with a PE each, so that every other item leaves its node.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "client_loop.hpp"
#include "one_sided_cases.hpp"
#include "send_to_objects.hpp"
#include "trigger_cases.hpp"

namespace {

// --- The client alone ----------------------------------------------------------------------------

void client(boxcar::world& w, std::size_t n, table& tally) {
  phase_pull(nobody(), phase_push(nobody(), destinations(w.size()), 0, n), tally);
}

// --- Conveyors -----------------------------------------------------------------------------------

template <typename Conveyor>
bool push_slot(Conveyor& c, std::uint64_t slot, int pe) {
  return c.push(slot, pe);
}

bool push_slot(boxcar::elastic_conveyor& c, std::uint64_t slot, int pe) {
  return c.push(std::as_bytes(std::span(&slot, 1)), pe);
}

bool push_slot(boxcar::elastic_biconveyor& c, std::uint64_t slot, int pe) {
  return c.push(std::as_bytes(std::span(&slot, 1)), pe);
}

// The first bytes of an arrived item.
std::uint64_t slot_in(std::span<const std::byte> bytes) {
  std::uint64_t slot;
  std::memcpy(&slot, bytes.data(), sizeof slot);
  return slot;
}

template <typename Conveyor>
[[gnu::noinline]] std::size_t phase_push(Conveyor& c, destinations to, std::size_t i,
                                         std::size_t n) {
  for (; i < n; ++i) {
    if (!push_slot(c, slot_of(i), to.of(i))) break;
  }
  return i;
}

template <typename Conveyor>
[[gnu::noinline]] bool phase_advance(Conveyor& c, bool done) {
  return static_cast<bool>(c.advance(done));
}

template <typename Conveyor>
[[gnu::noinline]] void phase_pull(Conveyor& c, table& tally) {
  std::uint64_t slot;
  while (c.pull(slot)) ++tally[slot];
}

[[gnu::noinline]] void phase_pull(boxcar::elastic_conveyor& c, table& tally) {
  while (const auto item = c.pull()) ++tally[slot_in(item->bytes)];
}

[[gnu::noinline]] void phase_pull(boxcar::elastic_biconveyor& c, table& tally) {
  while (const auto reply = c.pull()) ++tally[slot_in(*reply)];
}

// Queries whose replies are copied into a vector and out of a vector.
struct by_vectors {
  boxcar::elastic_biconveyor& conveyor;

  auto advance(bool done) { return conveyor.advance(done); }
};

bool push_slot(by_vectors& c, std::uint64_t slot, int pe) {
  return push_slot(c.conveyor, slot, pe);
}

[[gnu::noinline]] void phase_pull(by_vectors& c, table& tally) {
  std::vector<std::byte> reply;
  while (c.conveyor.pull(reply)) ++tally[slot_in(reply)];
}

// Pulls by pull_all instead of pull.
struct all_at_once {
  boxcar::conveyor<std::uint64_t>& conveyor;

  auto advance(bool done) { return conveyor.advance(done); }
};

bool push_slot(all_at_once& c, std::uint64_t slot, int pe) {
  return c.conveyor.push(slot, pe);
}

[[gnu::noinline]] void phase_pull(all_at_once& c, table& tally) {
  c.conveyor.pull_all([&tally](std::uint64_t slot) { ++tally[slot]; });
}

template <typename Conveyor>
void work(Conveyor& c, int pes, std::size_t n, table& tally) {
  const destinations to(pes);
  std::size_t i = 0;
  while (phase_advance(c, i == n)) {
    i = phase_push(c, to, i, n);
    phase_pull(c, tally);
  }
}

void fixed(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n, table& tally) {
  boxcar::conveyor<std::uint64_t> c(w, options);
  const boxcar::session s = c.begin();
  work(c, w.size(), n, tally);
}

void pulled_at_once(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n,
                    table& tally) {
  boxcar::conveyor<std::uint64_t> c(w, options);
  const boxcar::session s = c.begin();
  all_at_once all{c};
  work(all, w.size(), n, tally);
}

void elastic(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n,
             table& tally) {
  boxcar::elastic_conveyor c(w, 1024, options);
  const boxcar::session s = c.begin();
  work(c, w.size(), n, tally);
}

void biconveyor(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n,
                table& tally) {
  boxcar::biconveyor<std::uint64_t, std::uint64_t> c(w, options);
  const boxcar::session s = c.begin([](std::uint64_t slot) { return slot; });
  work(c, w.size(), n, tally);
}

void elastic_biconveyor(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n,
                        table& tally) {
  boxcar::elastic_biconveyor c(w, 1024, 1024, options);
  const boxcar::session s = c.begin(
      [](std::span<const std::byte> query, boxcar::elastic_reply& reply) { reply.assign(query); });
  work(c, w.size(), n, tally);
}

void elastic_biconveyor_by_vectors(boxcar::world& w, const boxcar::conveyor_options& options,
                                   std::size_t n, table& tally) {
  boxcar::elastic_biconveyor c(w, 1024, 1024, options);
  const boxcar::session s =
      c.begin([](std::span<const std::byte> query, std::vector<std::byte>& reply) {
        reply.assign(query.begin(), query.end());
      });
  by_vectors copying{c};
  work(copying, w.size(), n, tally);
}

// --- The convenient forms: there are no phases ---------------------------------------------------
//
// `produce` copies its captures first: for all that the compiler knows, a push might change them.

void convenient(boxcar::world& w, const boxcar::conveyor_options& options, std::size_t n,
                table& tally) {
  boxcar::exchange<std::uint64_t>(
      w,
      [&](auto& out) {
        const destinations to(w.size());
        for (std::size_t i = 0, end = n; i < end; ++i) out.push(slot_of(i), to.of(i));
      },
      [&](std::uint64_t slot) { ++tally[slot]; }, options);
}

void convenient_with_replies(boxcar::world& w, const boxcar::conveyor_options& options,
                             std::size_t n, table& tally) {
  boxcar::exchange<std::uint64_t>(
      w,
      [&](auto& ask) {
        const destinations to(w.size());
        for (std::size_t i = 0, end = n; i < end; ++i) ask.push(slot_of(i), to.of(i), i);
      },
      [](std::uint64_t slot) { return slot; },
      [&](std::uint64_t slot, std::size_t) { ++tally[slot]; }, options);
}

void streamed(boxcar::world& w, const boxcar::stream_options& options, std::size_t n,
              table& tally) {
  boxcar::stream<std::uint64_t> s(
      w, [&](std::uint64_t slot) { ++tally[slot]; }, options);
  const boxcar::session scope = s.begin(boxcar::staged(1));
  const destinations to(w.size());
  for (std::size_t i = 0; i < n; ++i) s.send(slot_of(i), to.of(i));
  s.done();
  s.finish();
}

void streamed_as_arrays(boxcar::world& w, const boxcar::stream_options& options, std::size_t n,
                        table& tally) {
  boxcar::stream<std::uint64_t[]> s(
      w, [&](std::span<const std::uint64_t> slots) { ++tally[slots.front()]; }, options);
  const boxcar::session scope = s.begin(boxcar::staged(1));
  const destinations to(w.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t slot = slot_of(i);
    s.send_array(std::span(&slot, 1), to.of(i));
  }
  s.done();
  s.finish();
}

// --- All cases -----------------------------------------------------------------------------------

struct run_case {
  program run;
  int pes = 1;
  int nodes = 1;
};

using conveyor_program = void (*)(boxcar::world&, const boxcar::conveyor_options&, std::size_t,
                                  table&);

run_case by(conveyor_program run, boxcar::conveyor_options options, int pes = 1, int nodes = 1) {
  options.buffer_bytes = buffer_bytes;
  return {[=](boxcar::world& w, std::size_t n, table& t) { run(w, options, n, t); }, pes, nodes};
}

using stream_program = void (*)(boxcar::world&, const boxcar::stream_options&, std::size_t, table&);

run_case by_stream(boxcar::stream_options options, int pes = 1, stream_program run = streamed) {
  options.buffer_bytes = buffer_bytes;
  return {[=](boxcar::world& w, std::size_t n, table& t) { run(w, options, n, t); }, pes};
}

run_case one_hop(conveyor_program run) {
  return by(run, {.hops = 1});
}

run_case two_hops(conveyor_program run) {
  return by(run, {.hops = 2, .local_group = 4}, 8);
}

run_case three_hops(conveyor_program run) {
  return by(run, {.hops = 3, .local_group = 2}, 8);
}

std::map<std::string, run_case> all_cases() {
  using boxcar::conveyor_kind;
  using boxcar::route;
  return {
      {"client", {client}},
      {"tensor-1", one_hop(fixed)},
      {"tensor-2", two_hops(fixed)},
      {"tensor-3", three_hops(fixed)},
      {"grid", by(fixed, {.way = route::grid(8, {2, 2, 2})}, 8)},
      {"teams", by(fixed, {.way = route::teams(8, {2, 4})}, 8)},
      {"pull-all", one_hop(pulled_at_once)},
      {"pull-all-2", two_hops(pulled_at_once)},
      {"scatter", by(fixed, {.hops = 1, .scatter = true})},
      {"steady", by(fixed, {.hops = 1, .steady = true})},
      {"steady-2", by(fixed, {.hops = 2, .local_group = 4, .steady = true}, 8)},
      {"compressed", by(fixed, {.hops = 1, .compress = true}, 2, 2)},
      {"simple", by(fixed, {.kind = conveyor_kind::simple})},
      {"simple-scatter", by(fixed, {.kind = conveyor_kind::simple, .scatter = true})},
      {"twohop", by(fixed, {.kind = conveyor_kind::twohop, .local_group = 4}, 8)},
      {"elastic-1", one_hop(elastic)},
      {"elastic-2", two_hops(elastic)},
      {"elastic-3", three_hops(elastic)},
      {"elastic-steady", by(elastic, {.hops = 1, .steady = true})},
      {"exchange-1", one_hop(convenient)},
      {"exchange-2", two_hops(convenient)},
      {"exchange-3", three_hops(convenient)},
      {"exchange-replies-1", one_hop(convenient_with_replies)},
      {"exchange-replies-2", two_hops(convenient_with_replies)},
      {"exchange-replies-3", three_hops(convenient_with_replies)},
      {"biconveyor-1", one_hop(biconveyor)},
      {"biconveyor-2", two_hops(biconveyor)},
      {"biconveyor-3", three_hops(biconveyor)},
      {"elastic-biconveyor-1", one_hop(elastic_biconveyor)},
      {"elastic-biconveyor-2", two_hops(elastic_biconveyor)},
      {"elastic-biconveyor-3", three_hops(elastic_biconveyor)},
      {"answers-by-vectors", one_hop(elastic_biconveyor_by_vectors)},
      {"stream-1", by_stream({})},
      {"stream-2", by_stream({.way = route::matrix(8, 4)}, 8)},
      {"stream-3", by_stream({.way = route::tensor(8, 2)}, 8)},
      {"stream-arrays-1", by_stream({}, 1, streamed_as_arrays)},
      {"stream-arrays-2", by_stream({.way = route::matrix(8, 4)}, 8, streamed_as_arrays)},
      {"stream-bounded", by_stream({.look_ahead = 1024})},
      {"objects", {[](boxcar::world& w, std::size_t n, table& t) { send_to_objects(w, n, t); }}},
      {"put", {put}},
      {"get", {get}},
      {"add", {add}},
      {"fetch-add", {fetch_add}},
      {"counting-put-away", {counting_put, 2, 2}},
      {"append-aggregated", {aggregated_append}},
      {"trigger-increment", {triggers(triggered::increment, 10)}},
      {"trigger-increment-many", {triggers(triggered::increment, 100'000)}},
      {"trigger-put", {triggers(triggered::put, 10)}},
      {"trigger-replied-put", {triggers(triggered::replied_put, 10)}},
      {"restarted-message", {restart}},
  };
}

extern "C" [[gnu::noinline]] void run_has_ended() {
  asm volatile("");
}

// Returns whether all items arrived.
bool send_items(const run_case& c, std::size_t items) {
  const std::size_t n = items / static_cast<std::size_t>(c.pes);
  std::atomic<std::uint64_t> sum = 0;
  boxcar::run(c.pes,
              [&](boxcar::world& w) {
                table tally(table_size);
                c.run(w, n, tally);
                for (const std::uint64_t count : tally) sum += count;
              },
              {.nodes = c.nodes});
  return sum == n * static_cast<std::size_t>(c.pes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, run_case> cases = all_cases();
  if (argc == 2 && std::strcmp(argv[1], "list") == 0) {
    for (const auto& [name, unused] : cases) std::printf("%s\n", name.c_str());
    return 0;
  }
  const auto found = argc > 2 ? cases.find(argv[1]) : cases.end();
  if (found == cases.end()) {
    std::fprintf(stderr,
                 "usage: item_cost CASE N...\n"
                 "       item_cost list      says which cases there are\n");
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    if (!send_items(found->second, std::strtoull(argv[i], nullptr, 10))) return 1;
    run_has_ended();
  }
  return 0;
}
