// Tests of the costs that grow with the number of PEs: for each object, the memory of a PE for the
// object, on average and at any moment of its lifetime, and the messages of PEs. The growth is at
// most what belongs to the links of the object's hops. Measured on a simulated machine of all PEs.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>
#include <boxcar/simulate.hpp>

#include "memory/allocation_meter.hpp"
#include "support/by_name.hpp"

namespace boxcar::test::growth_test {
namespace {

constexpr int per_node = 8;
constexpr int few = 128;
constexpr int many = 512;

struct growth_case {
  std::string name;
  // The number of links of a PE in a world of `pes` PEs.
  std::function<int(int pes)> links;
  // The growth for each PE of the world, as in docs/memory.md.
  int bytes_per_pe;
  // Made, and used in a session without items.
  std::function<void(world&)> use;
};

std::string name_of(const growth_case& c) {
  return c.name;
}

void PrintTo(const growth_case& c, std::ostream* out) {
  *out << c.name;
}

int no_links(int) {
  return 0;
}
int links_of_one_hop(int pes) {
  return pes;
}
int links_of_two_hops(int pes) {
  return per_node + pes / per_node;
}
int links_of_three_hops(int pes) {
  return 2 * per_node + pes / per_node / per_node;
}

conveyor_options with_hops(int hops) {
  return {.hops = hops, .local_group = hops == 1 ? 0 : per_node, .buffer_bytes = 64};
}

void use_conveyor(world& w, int hops) {
  conveyor<long> c(w, with_hops(hops));
  const session s = c.begin();
  while (c.advance(true)) continue;
}

void use_elastic(world& w, int hops) {
  elastic_conveyor c(w, 32, with_hops(hops));
  const session s = c.begin();
  while (c.advance(true)) continue;
}

void use_biconveyor(world& w, int hops) {
  biconveyor<long, long> c(w, with_hops(hops));
  const session s = c.begin([](long n) { return n; });
  while (c.advance(true)) continue;
}

void use_stream(world& w, const route& way, const termination& ending) {
  stream<long> s(w, [](long) {}, {.way = way, .buffer_bytes = 64});
  const session scope = s.begin(ending);
  if (ending.kind != termination_kind::quiescence) s.done();
  s.finish();
}

void use_one_sided(world& w) {
  const window<long> a(w, 4);
  const counter c(w);
  const append_buffer<long> b(w, 4);
  w.barrier();
}

// Each PE sends to the next PE, so often that all vertices of the smaller world exceed a single
// allocation chunk.
void use_schedule(world& w) {
  constexpr std::size_t times = 8;
  window<long> a(w, 2 * times);
  schedule_builder graph(w);
  graph.use(a);
  for (std::size_t i = 0; i < times; ++i) {
    const int tag = static_cast<int>(i);
    graph.send(a.local().subspan(i, 1), (w.rank() + 1) % w.size(), tag);
    graph.receive(a.local().subspan(times + i, 1), any_pe, tag);
  }
  schedule ring = graph.compile();
  ring.start();
  ring.wait();
  w.barrier();
}

std::vector<growth_case> cases() {
  std::vector<growth_case> all;
  const auto add = [&all](std::string name, const auto& links, int bytes_per_pe, const auto& use) {
    all.push_back({std::move(name), links, bytes_per_pe, use});
  };
  add("conveyor_1", links_of_one_hop, 0, [](world& w) { use_conveyor(w, 1); });
  add("conveyor_2", links_of_two_hops, 0, [](world& w) { use_conveyor(w, 2); });
  add("conveyor_3", links_of_three_hops, 0, [](world& w) { use_conveyor(w, 3); });
  add("elastic_3", links_of_three_hops, 0, [](world& w) { use_elastic(w, 3); });
  add(
      "biconveyor_3", [](int pes) { return 2 * links_of_three_hops(pes); }, 0,
      [](world& w) { use_biconveyor(w, 3); });
  // (Up to 4096 PEs the route lists the link to each PE.)
  add("stream_2", links_of_two_hops, 2,
      [](world& w) { use_stream(w, route::matrix(w.size(), per_node), quiescence()); });
  add("stream_3", links_of_three_hops, 2,
      [](world& w) { use_stream(w, route::tensor(w.size(), per_node), staged(1)); });
  add("one_sided", no_links, 0, use_one_sided);
  add("schedule", no_links, 0, use_schedule);
  return all;
}

// The average over the PEs.
struct need {
  double bytes = 0;     // at most at a time
  double messages = 0;  // to PEs of other nodes: buffers, and all else
};

need need_of(int pes, const std::function<void(world&)>& use) {
  const std::size_t before = allocated_bytes();
  restart_peak();
  const simulation was = simulate({.pes = pes, .pes_per_node = per_node}, use);
  const double all = pes;
  return {static_cast<double>(peak_bytes() - before) / all,
          static_cast<double>(was.buffers + was.messages) / all};
}

class growth : public testing::TestWithParam<growth_case> {};

TEST_P(growth, is_that_of_the_links) {
  // Bytes of a link with its two buffers, and the buffers in flight.
  constexpr int bytes_of_a_link = 512;
  // There is no byte per additional PE.
  constexpr int bytes_of_a_part = 512;
  // Each link has one last buffer, and its credit comes back.
  constexpr int messages_of_a_link = 2;
  // Waves, and whatever goes over a tree.
  constexpr int messages_of_a_part = 4;
  const growth_case& c = GetParam();
  const auto more = [&](int pes) {
    const need empty = need_of(pes, [](world& w) { w.barrier(); });
    const need full = need_of(pes, c.use);
    return need{full.bytes - empty.bytes, full.messages - empty.messages};
  };
  const need small = more(few);
  const need large = more(many);
  const int links = c.links(many) - c.links(few);
  RecordProperty("bytes", std::to_string(small.bytes) + " " + std::to_string(large.bytes));
  RecordProperty("messages", std::to_string(small.messages) + " " + std::to_string(large.messages));
  EXPECT_LE(large.bytes - small.bytes,
            bytes_of_a_part + c.bytes_per_pe * (many - few) + bytes_of_a_link * links);
  EXPECT_LE(large.messages - small.messages, messages_of_a_part + messages_of_a_link * links);
}

INSTANTIATE_TEST_SUITE_P(growth, growth, testing::ValuesIn(cases()), by_name{});

}  // namespace
}  // namespace boxcar::test::growth_test
