// Tests every collective over every topology, without a world. The graphs of all PEs are executed
// in random orders, in which a message waits for its receive. So a missing dependency gives a wrong
// result, and a superfluous dependency a graph that does not end.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "collective/choice.hpp"
#include "collective/collective_case.hpp"
#include "collective/flow.hpp"
#include "collective/plan.hpp"
#include "schedule/dependencies.hpp"
#include "trigger/numbers.hpp"

namespace boxcar::test::flows_test {
namespace {

using detail::collective_request;
using detail::flow;
using detail::graph_vertex;
using detail::schedule_graph;
using detail::vertex_kind;

// Executes the graphs of all PEs. Returns false if a graph does not end.
bool run_all(std::vector<schedule_graph>& pes, dice& d) {
  struct place {
    std::size_t pe;
    int vertex;
  };
  std::vector<detail::dependencies> left;
  std::vector<place> ready;
  std::size_t missing = 0;
  for (std::size_t pe = 0; pe < pes.size(); ++pe) {
    left.emplace_back(pes[pe].vertices);
    for (const int r : left.back().roots) ready.push_back({pe, r});
    missing += pes[pe].vertices.size();
  }
  const auto at = [&](const place& p) -> graph_vertex& {
    return pes[p.pe].vertices[static_cast<std::size_t>(p.vertex)];
  };
  const auto complete = [&](const place& p) {
    --missing;
    left[p.pe].complete(p.vertex, [&](int l) { ready.push_back({p.pe, l}); });
  };
  std::map<std::tuple<int, int, int>, place> posted;  // from, to, tag
  while (!ready.empty()) {
    std::swap(ready[static_cast<std::size_t>(d.below(static_cast<int>(ready.size())))],
              ready.back());
    const place p = ready.back();
    ready.pop_back();
    graph_vertex& v = at(p);
    const int me = static_cast<int>(p.pe);
    if (v.kind == vertex_kind::send || v.kind == vertex_kind::receive) {
      const bool sends = v.kind == vertex_kind::send;
      const std::tuple key{sends ? me : v.pe, sends ? v.pe : me, v.tag};
      const auto other = posted.find(key);
      if (other == posted.end()) {
        posted.emplace(key, p);
        continue;
      }
      const graph_vertex& from = sends ? v : at(other->second);
      const graph_vertex& into = sends ? at(other->second) : v;
      EXPECT_NE(from.kind, into.kind);
      EXPECT_EQ(from.from.size(), into.into.size());
      std::ranges::copy(from.from, into.into.begin());
      complete(other->second);
      posted.erase(other);
    } else if (v.kind == vertex_kind::copy) {
      std::ranges::copy(v.from, v.into.begin());
    } else if (v.kind == vertex_kind::combine) {
      detail::combine({.type = v.type, .how = v.how}, v.into.data(), v.from.data(), nullptr,
                      v.into.size());
    } else {
      v.function();
    }
    complete(p);
  }
  return missing == 0;
}

// Nodes of random sizes, of PEs that are consecutive, or not.
std::vector<int> random_nodes(dice& d, int pes) {
  const bool is_cyclic = d.chance(50);
  const int nodes = 1 + d.below(pes);
  const int percent = d.below(101);
  std::vector<int> all{0};
  for (int pe = 1; pe < pes; ++pe) {
    all.push_back(is_cyclic ? pe % nodes : all.back() + (d.chance(percent) ? 1 : 0));
  }
  return all;
}

// Returns whether the bits are the same, of NaNs as well.
template <typename T>
bool are_same_bits(std::span<const T> a, std::span<const T> b) {
  return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}

// Returns whether the values are the same, without the bits of NaNs, which C++ leaves open.
template <typename T>
bool are_same_values(std::span<const T> a, std::span<const T> b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    }
    return std::memcmp(&x, &y, sizeof x) == 0;
  });
}

// The expected results.
enum class expected { as_serial, same_on_all };

template <typename T, typename Combine>
void check(const collective_case& c, const Combine& combine, const T& first, dice& d,
           expected result = expected::as_serial) {
  const std::vector<int> nodes = random_nodes(d, c.pes);
  std::vector<std::vector<T>> memory;
  std::vector<flow> flows;
  for (int pe = 0; pe < c.pes; ++pe) {
    auto& mine = memory.emplace_back(c.room_for(pe));
    const auto l = c.layout_for(pe);
    const auto bytes = std::as_writable_bytes(std::span(mine));
    collective_request call{.kind = c.kind,
                            .root = c.root,
                            .in = bytes.subspan(l.in_at * sizeof(T), l.in * sizeof(T)),
                            .out = bytes.subspan(l.out_at * sizeof(T), l.out * sizeof(T)),
                            .how = detail::combination_by<T>(combine)};
    const auto in_bytes = [](std::vector<std::size_t> all) {
      for (std::size_t& n : all) n *= sizeof(T);
      return all;
    };
    if (c.has_blocks()) call.sizes = in_bytes(c.lengths);
    if (c.kind == collective_operation::all_to_all) {
      call.sizes = in_bytes(c.sent_by(pe));
      call.arriving = in_bytes(c.sent_to(pe));
      call.has_equal_blocks = c.are_equal();
    }
    const auto raw = std::as_bytes(std::span(&first, 1));
    call.first.assign(raw.begin(), raw.end());
    call.most_given = c.given_by(0) * sizeof(T);
    const detail::collective_way way = choose_way(call, c.options, nodes);
    if (way.over == topology::shared_memory) return;  // shared memory has no flow
    flow& f = flows.emplace_back(pe, c.pes);
    lay(f, call, way, nodes);
  }
  // The flows keep the memory that their graphs use.
  std::vector<schedule_graph> graphs;
  for (flow& f : flows) {
    graphs.push_back(std::move(f).take());
    EXPECT_EQ(graphs.back().problem(), std::nullopt);
  }
  for (std::uint64_t run = 1; run <= 3; ++run) {
    const auto given = c.gifts<T>(d.next());
    for (int pe = 0; pe < c.pes; ++pe) {
      const auto at = static_cast<std::ptrdiff_t>(c.layout_for(pe).in_at);
      std::ranges::copy(given[static_cast<std::size_t>(pe)],
                        memory[static_cast<std::size_t>(pe)].begin() + at);
    }
    ASSERT_TRUE(run_all(graphs, d)) << c.text();
    for (int pe = 0; pe < c.pes; ++pe) {
      const auto l = c.layout_for(pe);
      const std::span<const T> got =
          std::span(memory[static_cast<std::size_t>(pe)]).subspan(l.out_at, l.out);
      const bool is_right =
          result == expected::as_serial
              ? are_same_values<T>(got, c.expected(pe, given, combine, first))
              : are_same_bits<T>(got, std::span(memory[0]).subspan(c.layout_for(0).out_at, l.out));
      ASSERT_TRUE(is_right) << "PE " << pe << ": " << c.text();
    }
  }
}

class flows : public testing::TestWithParam<collective_operation> {};

TEST_P(flows, give_what_serial_code_gives) {
  dice d(program_seed(static_cast<std::uint64_t>(GetParam())));
  std::vector<topology> all = detail::topologies_for(GetParam());
  all.push_back(topology::automatic);
  for (const topology over : all) {
    for (int pes = 1; pes <= 17; ++pes) {
      for (int i = 0; i < 8 && !HasFatalFailure(); ++i) {
        const collective_case c = random_case(d, GetParam(), over, pes);
        if (d.chance(50)) {
          check<std::int64_t>(c, std::plus<>{}, 17, d);
        } else {
          check<affine>(c, then{}, {3, 4}, d);
        }
      }
    }
  }
}

// All PEs get the same bits, also of results that depend on the grouping.
TEST(all_reduce_flows, give_the_same_bits_to_all) {
  dice d(program_seed(0));
  const auto kind = collective_operation::all_reduce;
  std::vector<topology> all = detail::topologies_for(kind);
  all.push_back(topology::automatic);
  const auto average = [](double a, double b) { return (a + b) / 2; };
  for (const topology over : all) {
    for (int pes = 1; pes <= 17; ++pes) {
      for (int i = 0; i < 3 && !HasFatalFailure(); ++i) {
        const collective_case c = random_case(d, kind, over, pes);
        check<std::uint32_t>(c, in_one_order{}, 0, d, expected::same_on_all);
        check<double>(c, std::plus<>{}, 0, d, expected::same_on_all);
        check<double>(c, std::multiplies<>{}, 0, d, expected::same_on_all);
        check<double>(c, minimum{}, 0, d, expected::as_serial);
        check<double>(c, maximum{}, 0, d, expected::as_serial);
        check<double>(c, average, 0, d, expected::same_on_all);
      }
    }
  }
}

// Reproducible flows give the result of one PE after the other, whatever the nodes.
TEST_P(flows, are_reproducible) {
  dice d(program_seed(static_cast<std::uint64_t>(GetParam())));
  if (!collective_case{.kind = GetParam()}.combines()) return;
  std::vector<topology> all = detail::topologies_for(GetParam());
  all.push_back(topology::automatic);
  for (const topology over : all) {
    for (int pes = 1; pes <= 17; ++pes) {
      for (int i = 0; i < 3 && !HasFatalFailure(); ++i) {
        collective_case c = random_case(d, GetParam(), over, pes);
        c.options.reproducible = true;
        check<std::uint32_t>(c, in_one_order{}, 7, d);
        check<double>(c, std::plus<>{}, 7, d);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(collective, flows, testing::ValuesIn(all_kinds()),
                         [](const auto& one) { return std::string(detail::name_of(one.param)); });

// The length gives several pieces of the chosen size, of which the last piece is shorter.
TEST(circulant_flows, choose_their_pieces) {
  constexpr std::size_t length = 20'000;
  dice d(program_seed(0));
  for (const int pes : {2, 3, 5, 8}) {
    collective_case c{.kind = collective_operation::reduce,
                      .pes = pes,
                      .root = pes - 1,
                      .lengths = std::vector(static_cast<std::size_t>(pes), length),
                      .options = {.over = topology::circulant}};
    check<std::int64_t>(c, std::plus<>{}, 0, d);
    c.kind = collective_operation::broadcast;
    check<std::int64_t>(c, std::plus<>{}, 0, d);
    std::vector<std::int64_t> values(length);
    const collective_request call{.kind = c.kind,
                                  .out = std::as_writable_bytes(std::span(values)),
                                  .how = detail::combination_by<std::int64_t>(std::plus<>{})};
    const std::size_t piece =
        choose_way(call, c.options, std::vector(static_cast<std::size_t>(pes), 0)).segment_bytes;
    EXPECT_EQ(piece == 0, pes == 2);  // all in one round
    EXPECT_LT(2 * piece, call.out.size());
  }
}

// Returns whether a vertex depends on an earlier vertex.
bool waits_for(const schedule_graph& g, int later, int earlier) {
  const std::vector<int>& after = g.vertices[static_cast<std::size_t>(later)].after;
  return std::ranges::any_of(
      after, [&](int v) { return v == earlier || (v > earlier && waits_for(g, v, earlier)); });
}

// The traffic from PEs to other nodes, by node: messages, and bytes.
struct leaving {
  std::map<int, int> messages;
  std::size_t bytes = 0;
};

leaving leaving_nodes(const collective_request& call, const detail::collective_way& way,
                      const std::vector<int>& nodes) {
  leaving all;
  const auto pes = static_cast<int>(nodes.size());
  for (int pe = 0; pe < pes; ++pe) {
    flow f(pe, pes);
    lay(f, call, way, nodes);
    for (const graph_vertex& v : std::move(f).take().vertices) {
      const auto node_of = [&](int p) { return nodes[static_cast<std::size_t>(p)]; };
      if (v.kind != vertex_kind::send || node_of(v.pe) == node_of(pe)) continue;
      ++all.messages[pe];
      all.bytes += v.from.size();
    }
  }
  return all;
}

// Leaders of nodes use recursive doubling for small data; for large data each PE sends a share;
// each block enters and leaves nodes once.
TEST(node_flows, leave_nodes_no_more_than_needed) {
  using enum collective_operation;
  const std::vector<int> nodes{0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3};
  constexpr std::size_t pes = 11;
  std::vector<std::int64_t> memory(2 * pes * 100);
  const auto bytes = std::as_writable_bytes(std::span(memory));
  const auto laid = [&](collective_operation kind, topology over, std::size_t in, std::size_t out) {
    collective_request call{.kind = kind,
                            .in = bytes.first(in),
                            .out = bytes.last(out),
                            .how = detail::combination_by<std::int64_t>(std::plus<>{}),
                            .most_given = in};
    if (detail::has_blocks(kind)) call.sizes.assign(pes, std::min(in, out));
    return leaving_nodes(call, choose_way(call, {.over = over}, nodes), nodes);
  };
  const std::map<int, int> leaders_twice{{0, 2}, {3, 2}, {5, 2}, {9, 2}};
  EXPECT_EQ(laid(barrier, topology::butterfly, 0, 0).messages, leaders_twice);
  EXPECT_EQ(laid(all_reduce, topology::butterfly, 8, 8).messages, leaders_twice);
  EXPECT_EQ(laid(all_gather, topology::butterfly, 8, 8 * pes).messages, leaders_twice);

  const leaving shared = laid(all_reduce, topology::butterfly, 8000, 8000);
  const std::map<int, int> two_of_each{{0, 2}, {1, 2}, {3, 2}, {4, 2},
                                       {5, 2}, {7, 2}, {9, 2}, {10, 2}};
  EXPECT_EQ(shared.messages, two_of_each);
  EXPECT_EQ(shared.bytes, 4U * 2 * 8000);
  EXPECT_EQ(laid(broadcast, topology::circulant, 8000, 8000).bytes, 3U * 8000);
  EXPECT_EQ(laid(reduce, topology::circulant, 8000, 8000).bytes, 3U * 8000);
  EXPECT_EQ(laid(all_gather, topology::pairwise, 800, 800 * pes).bytes, 3U * 800 * pes);
  EXPECT_EQ(laid(reduce_scatter, topology::pairwise, 800 * pes, 800).bytes, 3U * 800 * pes);
}

// The last PE of each node sends to other nodes, and only then within its own node.
TEST(scan_flows, leave_nodes_by_one_pe) {
  const std::vector<int> nodes{0, 0, 0, 1, 2, 2, 2, 2, 3, 3};
  std::vector<std::int64_t> memory(2);
  const auto bytes = std::as_writable_bytes(std::span(memory));
  for (const auto kind : {collective_operation::scan, collective_operation::exclusive_scan}) {
    const collective_request call{.kind = kind,
                                  .in = bytes.first(sizeof(std::int64_t)),
                                  .out = bytes.last(sizeof(std::int64_t)),
                                  .how = detail::combination_by<std::int64_t>(std::plus<>{}),
                                  .first = std::vector<std::byte>(sizeof(std::int64_t))};
    const detail::collective_way way = choose_way(call, {.over = topology::dissemination}, nodes);
    std::vector<int> leaving;  // the senders of messages
    for (int pe = 0; pe < std::ssize(nodes); ++pe) {
      flow f(pe, static_cast<int>(nodes.size()));
      lay(f, call, way, nodes);
      const schedule_graph g = std::move(f).take();
      std::vector<int> away;
      for (int v = 0; v < std::ssize(g.vertices); ++v) {
        const graph_vertex& at = g.vertices[static_cast<std::size_t>(v)];
        if (at.kind != vertex_kind::send) continue;
        if (nodes[static_cast<std::size_t>(at.pe)] != nodes[static_cast<std::size_t>(pe)]) {
          away.push_back(v);
          leaving.push_back(pe);
        } else {
          for (const int first : away) EXPECT_TRUE(waits_for(g, v, first));
        }
      }
    }
    EXPECT_EQ(leaving, (std::vector{2, 2, 3, 3, 7}));
  }
}

// A barrier ends nowhere before all have begun.
TEST(barrier_flows, wait_for_all) {
  dice d(program_seed(0));
  for (const topology over : detail::topologies_for(collective_operation::barrier)) {
    for (int pes = 1; pes <= 17; ++pes) {
      for (int late = 0; late < pes; ++late) {
        const std::vector<int> nodes = random_nodes(d, pes);
        const collective_options options{.over = over, .fan_out = 2 + d.below(3)};
        std::vector<schedule_graph> graphs;
        int ended = 0;
        for (int pe = 0; pe < pes; ++pe) {
          flow f(pe, pes);
          const collective_request call;
          lay(f, call, choose_way(call, options, nodes), nodes);
          f.fence();
          f.combine_with(std::as_writable_bytes(std::span(&ended, 1)), {},
                         {.element_bytes = 1,
                          .numbers = {},
                          .function = [&ended](auto*, auto*, auto*, auto) { ++ended; }});
          graphs.push_back(pe == late ? schedule_graph() : std::move(f).take());
        }
        EXPECT_EQ(run_all(graphs, d), pes == 1);
        EXPECT_EQ(ended, 0) << detail::name_of(over) << ", " << pes << " PEs, late: " << late;
      }
    }
  }
}

}  // namespace
}  // namespace boxcar::test::flows_test
