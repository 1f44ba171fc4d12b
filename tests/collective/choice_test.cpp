// Tests of the choice of topologies for a collective, without a world.
#include "collective/choice.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "collective/collective_case.hpp"
#include "collective/measured_ways.hpp"
#include "collective/measured_ways_table.hpp"

namespace boxcar::test::choice_test {
namespace {

using detail::collective_operation;
using detail::collective_request;
using detail::collective_way;
using detail::measured_way;
using detail::measured_ways;
using detail::way_table;

// A request for a block of `bytes` bytes.
collective_request request_for(collective_operation kind, int pes, std::size_t bytes,
                               std::vector<std::byte>& memory) {
  collective_request call{.kind = kind};
  const auto n = static_cast<std::size_t>(pes);
  call.most_given = bytes;
  switch (kind) {
    case collective_operation::broadcast:
      memory.resize(bytes);
      call.out = memory;
      break;
    case collective_operation::scatter:
    case collective_operation::gather:
    case collective_operation::all_gather:
    case collective_operation::reduce_scatter:
      call.sizes.assign(n, bytes);
      break;
    case collective_operation::all_to_all:
      call.sizes.assign(n, bytes);
      call.most_given = n * bytes;
      call.has_equal_blocks = true;
      break;
    default:
      break;
  }
  return call;
}

class choice : public testing::TestWithParam<collective_operation> {};

TEST_P(choice, is_possible_and_explained) {
  const auto flows = detail::topologies_for(GetParam());
  std::vector<std::byte> memory;
  for (int pes = 1; pes <= 17; ++pes) {
    for (int nodes = 1; nodes <= std::min(pes, 3); ++nodes) {
      for (std::size_t bytes = 8; bytes <= std::size_t{16} << 20; bytes *= 4) {
        const collective_request call = request_for(GetParam(), pes, bytes, memory);
        std::vector<int> node_of;
        for (int pe = 0; pe < pes; ++pe) node_of.push_back(pe * nodes / pes);
        const collective_way way = choose_way(call, {}, node_of);
        const std::string text = explanation(call, way, pes);
        const bool shares = nodes == 1 && way.over == topology::shared_memory;
        EXPECT_TRUE(shares || std::ranges::count(flows, way.over) == 1) << text;
        EXPECT_GE(way.fan_out, 2) << text;
        EXPECT_TRUE(way.segment_bytes == 0 || detail::is_tree(way.over) ||
                    way.over == topology::circulant)
            << text;
        const char* const why = nodes == 1 ? ", measured on " : ", by rule for several nodes";
        EXPECT_NE(text.find(why), std::string::npos) << text;
      }
    }
  }
}

TEST_P(choice, is_what_is_asked_for) {
  for (const topology over : detail::topologies_for(GetParam())) {
    const collective_request call{.kind = GetParam(),
                                  .how = detail::combination_by<int>(std::plus<>{})};
    const collective_way way = choose_way(call, {.over = over, .fan_out = 5}, {0, 0, 0, 0});
    EXPECT_EQ(way.over, over);
    EXPECT_EQ(way.fan_out, 5);
    EXPECT_EQ(way.reason, "asked for");
  }
}

INSTANTIATE_TEST_SUITE_P(collective, choice, testing::ValuesIn(all_kinds()),
                         [](const auto& one) { return std::string(detail::name_of(one.param)); });

// An ordered combination goes from node to node.
TEST(choice_between_nodes, says_why_not_within_nodes_first) {
  const std::vector<int> nodes{0, 0, 1};
  const std::vector<int> in_turns{0, 1, 0};
  const std::string why = "; not within nodes first: their PEs do not follow one another";
  for (const auto kind : {collective_operation::scan, collective_operation::exclusive_scan,
                          collective_operation::reduce}) {
    const collective_request call{.kind = kind};
    EXPECT_TRUE(choose_way(call, {}, nodes).by_node);
    const collective_way way = choose_way(call, {}, in_turns);
    EXPECT_FALSE(way.by_node);
    EXPECT_TRUE(way.reason.ends_with(why)) << way.reason;
    EXPECT_FALSE(choose_way(call, {.by_node = false}, in_turns).reason.ends_with(why));
  }
  const collective_request any_order{.kind = collective_operation::reduce,
                                     .how = detail::combination_by<int>(std::plus<>{})};
  EXPECT_TRUE(choose_way(any_order, {}, in_turns).by_node);
}

// The choice on `nodes` nodes with `per_node` PEs each.
collective_way choice_on(int nodes, int per_node, collective_operation kind, std::size_t bytes) {
  std::vector<int> node_of;
  for (int pe = 0; pe < nodes * per_node; ++pe) node_of.push_back(pe / per_node);
  std::vector<std::byte> memory;
  return choose_way(request_for(kind, nodes * per_node, bytes, memory), {}, node_of);
}

// The butterfly has no leaders to wait for.
TEST(choice_between_nodes, takes_a_butterfly_of_all_pes_for_little_if_nodes_are_alike) {
  for (const auto kind : {collective_operation::all_reduce, collective_operation::all_gather}) {
    const auto is_of_all = [kind](int nodes, int per_node, std::size_t bytes) {
      const collective_way way = choice_on(nodes, per_node, kind, bytes);
      return way.over == topology::butterfly && !way.by_node;
    };
    EXPECT_TRUE(is_of_all(4, 4, 8));
    EXPECT_TRUE(is_of_all(2, 16, 8));
    EXPECT_FALSE(is_of_all(2, 32, 8)) << "too many for an adapter";
    EXPECT_FALSE(is_of_all(4, 3, 8));
    EXPECT_FALSE(is_of_all(3, 4, 8));
    EXPECT_FALSE(is_of_all(4, 4, 1 << 20));
  }
}

// Fewer rounds, of more messages.
TEST(choice_between_nodes, disseminates_barriers_with_the_k_that_is_best) {
  const auto k_on = [](int nodes) {
    const collective_way way = choice_on(nodes, 4, collective_operation::barrier, 0);
    EXPECT_EQ(way.over, topology::dissemination);
    EXPECT_TRUE(way.by_node);
    return way.fan_out;
  };
  EXPECT_EQ(k_on(3), 3);
  EXPECT_EQ(k_on(5), 5);
  EXPECT_EQ(k_on(9), 3);
  EXPECT_EQ(k_on(16), 4);
  EXPECT_EQ(k_on(64), 4);
  EXPECT_EQ(choice_on(2, 4, collective_operation::barrier, 0).over, topology::butterfly);
  const collective_request call;
  const collective_way way = choose_way(call, {}, {0, 1, 2, 3});
  EXPECT_EQ(explanation(call, way, 4),
            "barrier on 4 PEs: dissemination with k = 4, by rule for several nodes and 0 bytes");
}

// A single piece passes the PEs of a chain one after the other.
TEST(choice_between_nodes, takes_chains_when_they_are_full_of_pieces) {
  for (const auto kind : {collective_operation::scan, collective_operation::exclusive_scan}) {
    for (const std::size_t kib : {1U, 8U, 64U, 1024U, 16384U}) {
      for (const int nodes : {2, 3, 16, 64}) {
        const collective_way way = choice_on(nodes, 4, kind, kib << 10);
        if (way.over == topology::dissemination) continue;
        EXPECT_EQ(way.over, topology::chain);
        ASSERT_NE(way.segment_bytes, 0U);
        EXPECT_GE((kib << 10) / way.segment_bytes, static_cast<std::size_t>(nodes));
      }
    }
    EXPECT_EQ(choice_on(16, 4, kind, 64 << 10).over, topology::dissemination);
    EXPECT_EQ(choice_on(4, 4, kind, 64 << 10).over, topology::chain);
    EXPECT_EQ(choice_on(8, 16, kind, 64 << 10).over, topology::dissemination);
    EXPECT_EQ(choice_on(8, 16, kind, 256 << 10).over, topology::chain) << "few hops leave nodes";
  }
}

// Large data goes between nodes in shares, whatever the order of PEs, if the order of elements is
// free.
TEST(choice_between_nodes, lets_each_pe_of_a_node_send_a_share_of_much) {
  using enum collective_operation;
  constexpr std::size_t much = 1 << 20;
  for (const auto kind : {broadcast, reduce, all_reduce}) {
    const collective_way of_much = choice_on(16, 4, kind, much);
    EXPECT_TRUE(of_much.by_node);
    EXPECT_EQ(of_much.columns, 4U);
    EXPECT_EQ(choice_on(16, 4, kind, 8).columns, 1U);
    EXPECT_EQ(choice_on(16, 1, kind, much).columns, 1U);
    std::vector<std::byte> memory;
    EXPECT_EQ(choose_way(request_for(kind, 5, much, memory), {}, {0, 0, 1, 1, 1}).columns, 2U);
    EXPECT_EQ(
        choose_way(request_for(kind, 4, much, memory), {.by_node = false}, {0, 0, 1, 1}).columns,
        1U);
  }
  EXPECT_EQ(choice_on(16, 4, broadcast, much).over, topology::circulant);
  EXPECT_EQ(choice_on(16, 16, all_reduce, much).over, topology::pairwise);
  for (const auto kind : {all_gather, reduce_scatter}) {
    EXPECT_EQ(choice_on(16, 4, kind, much).over, topology::pairwise);
    EXPECT_TRUE(choice_on(16, 4, kind, much).by_node);
  }
}

// A circulant combines in an order of its own.
TEST(choice_between_nodes, reduces_over_a_circulant_if_the_order_is_free) {
  std::vector<int> nodes;
  for (int pe = 0; pe < 64; ++pe) nodes.push_back(pe / 4);
  collective_request call{.kind = collective_operation::reduce, .most_given = 1 << 20};
  EXPECT_EQ(choose_way(call, {}, nodes).over, topology::pairwise);
  const collective_way asked_for = choose_way(call, {.over = topology::circulant}, nodes);
  EXPECT_EQ(asked_for.over, topology::pairwise);
  EXPECT_EQ(asked_for.reason,
            "asked for; not over a circulant graph, where elements are combined in any order");
  call.how = detail::combination_by<int>(std::plus<>{});
  EXPECT_EQ(choose_way(call, {}, nodes).over, topology::circulant);
  EXPECT_EQ(choose_way(call, {.over = topology::circulant}, nodes).reason, "asked for");
  call.most_given = 8;
  EXPECT_EQ(choose_way(call, {}, nodes).over, topology::k_nomial_tree);
}

// The choice has the fewest rounds, but for data of which each PE should have a part only.
TEST(choice_between_nodes, takes_few_rounds_for_little_data_and_few_bytes_for_much) {
  const auto over = [](int nodes, collective_operation kind, std::size_t bytes) {
    return choice_on(nodes, 1, kind, bytes).over;
  };
  EXPECT_EQ(over(16, collective_operation::all_reduce, 8), topology::butterfly);
  EXPECT_EQ(over(15, collective_operation::all_reduce, 8), topology::dissemination);
  EXPECT_EQ(over(16, collective_operation::all_reduce, 1 << 20), topology::pairwise);
  EXPECT_EQ(over(16, collective_operation::all_gather, 1 << 16), topology::butterfly);
  EXPECT_EQ(over(15, collective_operation::all_gather, 1 << 14), topology::dissemination);
  EXPECT_EQ(over(15, collective_operation::all_gather, 1 << 16), topology::ring);
  EXPECT_EQ(choice_on(64, 2, collective_operation::all_gather, 1 << 13).over, topology::butterfly);
  EXPECT_EQ(over(16, collective_operation::reduce_scatter, 8), topology::k_nomial_tree);
  EXPECT_EQ(over(16, collective_operation::reduce_scatter, 1 << 16), topology::pairwise);
  EXPECT_EQ(over(16, collective_operation::all_to_all, 8), topology::grid);
  EXPECT_EQ(over(16, collective_operation::all_to_all, 1 << 16), topology::pairwise);
  EXPECT_EQ(choice_on(16, 1, collective_operation::broadcast, 8).fan_out, 4);
  EXPECT_EQ(choice_on(16, 1, collective_operation::reduce, 1 << 20).fan_out, 2);
}

bool are_one(const measured_way& a, const measured_way& b) {
  return a.kind == b.kind && a.pes == b.pes && a.above_bytes == b.above_bytes;
}

TEST(measured_ways, have_a_row_for_every_number_of_bytes) {
  for (const measured_way& row : measured_ways) {
    EXPECT_LT(row.above_bytes, row.most_bytes);
    EXPECT_TRUE(are_one(way_table::built_in().find(row.kind, row.pes, row.most_bytes), row));
    EXPECT_TRUE(are_one(way_table::built_in().find(row.kind, row.pes, row.above_bytes + 1), row));
    if (row.above_bytes == 0) {
      EXPECT_TRUE(are_one(way_table::built_in().find(row.kind, row.pes, 0), row));
    } else {
      const measured_way before = way_table::built_in().find(row.kind, row.pes, row.above_bytes);
      EXPECT_EQ(before.most_bytes, row.above_bytes);
    }
  }
  for (const collective_operation kind : all_kinds()) {
    for (const int pes : {2, 4, 8, 16}) {
      EXPECT_EQ(way_table::built_in().find(kind, pes, measured_way::any_bytes).most_bytes,
                measured_way::any_bytes);
    }
  }
}

TEST(measured_ways, are_those_of_the_most_pes_that_there_are) {
  for (const collective_operation kind : all_kinds()) {
    const auto pes_for = [&](int pes) { return way_table::built_in().find(kind, pes, 1000).pes; };
    EXPECT_EQ(pes_for(1), 2);
    EXPECT_EQ(pes_for(2), 2);
    EXPECT_EQ(pes_for(3), 2);
    EXPECT_EQ(pes_for(4), 4);
    EXPECT_EQ(pes_for(7), 4);
    EXPECT_EQ(pes_for(15), 8);
    EXPECT_EQ(pes_for(16), 16);
    EXPECT_EQ(pes_for(1000), 16);
  }
}

TEST(measured_ways, say_what_was_measured) {
  measured_way row{.kind = collective_operation::broadcast, .pes = 8, .most_bytes = 1024};
  EXPECT_EQ(text_of(row), "measured on 8 PEs of a node for up to 1024 bytes");
  row.above_bytes = 64;
  row.most_bytes = measured_way::any_bytes;
  EXPECT_EQ(text_of(row), "measured on 8 PEs of a node for more than 64 bytes");
  row.above_bytes = 0;
  EXPECT_EQ(text_of(row), "measured on 8 PEs of a node for any number of bytes");
  row.kind = collective_operation::barrier;
  EXPECT_EQ(text_of(row), "measured on 8 PEs of a node");
}

// The data that a PE takes from the other PEs grows with their number.
TEST(choice_in_shared_memory, is_for_less_the_more_pes_there_are) {
  std::vector<std::byte> memory;
  const std::vector<int> one_node(1024, 0);
  const auto over = [&](collective_operation kind, std::size_t bytes) {
    const auto call = request_for(kind, 1024, bytes, memory);
    return choose_way(call, {}, one_node).over;
  };
  EXPECT_EQ(over(collective_operation::scan, 8), topology::shared_memory);
  EXPECT_NE(over(collective_operation::scan, 4096), topology::shared_memory);
  // Each PE combines a share.
  EXPECT_EQ(over(collective_operation::all_reduce, 4096), topology::shared_memory);
}

}  // namespace
}  // namespace boxcar::test::choice_test
