// Tests of the choice of open options, and of the reasons given by explain().
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/conveyor.hpp>
#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>

#include "conveyor/path_choice.hpp"
#include "grid/factorisations.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::choices_test {
namespace {

world_shape threads(int pes, int nodes) {
  return {substrate_kind::threads, pes, nodes};
}

// Expects these texts in the explanation of a conveyor with the options.
void expect_explanation(const world_shape& shape, const conveyor_options& options,
                        std::initializer_list<std::string_view> parts) {
  run_on(shape, [&](world& w) {
    const conveyor<long> c(w, options);
    expect_mentions(c.explain(), parts);
  });
}

TEST(chosen_group, is_the_node_if_there_are_several) {
  for (const int hops : {2, 3}) {
    expect_explanation(threads(12, 6), {.hops = hops}, {"groups of 2", "the PEs of a node"});
  }
  expect_explanation(threads(8, 2), {.hops = 2}, {"groups of 4", "the PEs of a node"});
  expect_explanation(threads(8, 2), {.kind = conveyor_kind::twohop},
                     {"groups of 4", "the PEs of a node", "synchronous"});
}

// Hops within a group of one PE would lead nowhere.
TEST(chosen_group, makes_for_the_fewest_links_if_nodes_have_one_pe) {
  expect_explanation(threads(16, 16), {.hops = 2}, {"groups of 4", "fewest links", "8 links"});
  expect_explanation(threads(8, 8), {.hops = 3}, {"groups of 2", "fewest links", "6 links"});
}

// Layouts of very many small nodes, very few large nodes, and prime numbers.
TEST(chosen_group, makes_for_few_links_at_any_scale) {
  for (const auto& [nodes, per_node] : {std::pair(131'072, 1),
                                        {524'288, 1},
                                        {1'048'573, 1},
                                        {100'003, 2},
                                        {131'072, 2},
                                        {16'384, 24},
                                        {8191, 128},
                                        {2, 100'003},
                                        {2, 524'288},
                                        {1, 1'048'573}}) {
    const auto layout = detail::node_layout::spread(nodes * per_node, nodes);
    for (const int hops : {2, 3}) {
      const int group = detail::choose_group(layout, hops);
      const detail::tagged_route path = detail::path_in_groups(hops, layout.pes(), group);
      std::size_t links = 0;
      for (int hop = 0; hop < hops; ++hop) links += path.max_links(hop);
      // Three hops in groups that divide a prime number.
      if (hops == 3 && detail::divisors(layout.pes()).size() <= 4) continue;
      EXPECT_LE(links, 4200U) << nodes << " x " << per_node << ", " << path.describe();
    }
  }
}

TEST(chosen_group, is_several_nodes_if_those_are_small_and_many) {
  const auto layout = detail::node_layout::spread(16'384 * 24, 16'384);
  EXPECT_EQ(detail::choose_group(layout, 2), 26 * 24);
  expect_mentions(detail::reason_for_group(layout, 26 * 24), {"several nodes"});
}

TEST(chosen_group, is_a_part_of_a_large_node_if_there_are_three_hops) {
  const auto part = "the largest part of a node";
  expect_explanation(threads(8, 2), {.hops = 3}, {"groups of 2", part, "6 links"});
  expect_explanation(threads(24, 2), {.hops = 3}, {"groups of 4", part, "10 links"});
  // Groups of one PE would have 14 links on the second hop.
  expect_explanation(threads(14, 2), {.hops = 3}, {"groups of 7", "the PEs of a node", "15 links"});
}

TEST(chosen_group, makes_for_the_fewest_links_on_one_node) {
  expect_explanation(threads(16, 1), {.hops = 2}, {"groups of 4", "fewest links", "8 links"});
  expect_explanation(threads(27, 1), {.hops = 3}, {"groups of 3", "fewest links", "9 links"});
  // The last row is short: by the divisors of 7 there would be 8 links.
  expect_explanation(threads(7, 1), {.hops = 2}, {"groups of 2, the last smaller", "6 links"});
  expect_explanation(threads(13, 1), {.kind = conveyor_kind::twohop},
                     {"groups of 3, the last smaller", "fewest links", "8 links"});
  expect_explanation(threads(7, 1), {.hops = 3}, {"groups of 1", "fewest links"});
}

// Nodes of 3 and 2 PEs.
TEST(chosen_group, makes_for_the_fewest_links_if_nodes_are_uneven) {
  expect_explanation(threads(5, 2), {.hops = 2}, {"groups of 3, the last smaller", "of a node"});
  expect_explanation(threads(10, 4), {.hops = 2}, {"groups of 2", "fewest links", "7 links"});
}

TEST(given_group, is_taken) {
  expect_explanation(threads(8, 2), {.hops = 2, .local_group = 2},
                     {"groups of 2", "group: as asked for", "hops: as asked for", "6 links"});
}

TEST(given_route, is_taken) {
  expect_explanation(threads(8, 2), {.way = route::grid(8, {2, 2, 2})},
                     {"grid 2 x 2 x 2", "3 stages", "asynchronous", "route: as asked for",
                      "buffers: 4 links"});  // with the link to itself
  // PEs have different numbers of links: the links of the other PEs count.
  expect_explanation(threads(8, 2), {.way = route::teams(8, {2, 4})},
                     {"teams", "buffers: 5 links"});
}

TEST(chosen_hops, are_one_where_memory_allows) {
  expect_explanation(
      threads(8, 2), {},
      {"direct", "one hop", "the fewest whose buffers fit in", "share of the machine's memory"});
  expect_explanation(threads(8, 2), {.kind = conveyor_kind::tensor}, {"direct", "one hop"});
}

// A smaller last group has missing PEs, and other PEs stand in for them: every item arrives with
// its true source.
TEST(chosen_group, that_does_not_divide_delivers) {
  static constexpr int items = 300;  // items from each PE to each PE
  for (const world_shape& shape : {threads(7, 1), threads(13, 1), threads(5, 2), threads(11, 3)}) {
    for (const conveyor_kind kind : {conveyor_kind::tensor, conveyor_kind::twohop}) {
      run_on(shape, [kind](world& w) {
        const bool synchronous = kind == conveyor_kind::twohop;
        conveyor<int> c(w, {.kind = kind, .hops = synchronous ? 0 : 2, .buffer_bytes = 64});
        expect_mentions(c.explain(), {"the last smaller"});
        std::vector<int> next(static_cast<std::size_t>(w.size()));
        const session s = c.begin();
        int sent = 0;
        int item = 0;
        int from = 0;
        while (c.advance(sent == items * w.size()) != advance_result::done) {
          while (sent < items * w.size() && c.push(sent / w.size(), sent % w.size())) ++sent;
          while (c.pull(item, from)) {
            ASSERT_EQ(item, next[static_cast<std::size_t>(from)]++) << "from PE " << from;
          }
        }
        for (const int n : next) EXPECT_EQ(n, items);
      });
    }
    run_on(shape, [](world& w) {
      elastic_conveyor c(w, 64, {.hops = 2, .buffer_bytes = 128});
      const session s = c.begin();
      int sent = 0;
      int arrived = 0;
      while (c.advance(sent == items * w.size()) != advance_result::done) {
        while (sent < items * w.size() && c.push(std::to_string(w.rank()), sent % w.size())) ++sent;
        while (const auto item = c.pull()) {
          ASSERT_EQ(item->text(), std::to_string(item->from));
          ++arrived;
        }
      }
      EXPECT_EQ(arrived, items * w.size());
    });
  }
}

// The variable is set in this process, and so for all PEs of a world.
class buffer_variable : public testing::Test {
 protected:
  static void set(const char* value) { setenv("BOXCAR_BUFFER_BYTES", value, 1); }
  void TearDown() override { unsetenv("BOXCAR_BUFFER_BYTES"); }

  static void expect_refusal(const char* value, std::initializer_list<std::string_view> parts) {
    set(value);
    run_on(threads(3, 1), [&](world& w) {
      expect_mentions(thrown_by<argument_error>([&] { const conveyor<long> c(w); }), parts);
    });
  }
};

TEST_F(buffer_variable, is_the_size_where_the_program_gives_none) {
  set("4096");
  run_on(threads(2, 1), [](world& w) {
    const conveyor<long> open(w);
    EXPECT_EQ(open.buffer_bytes(), 4096U);
    expect_mentions(open.explain(), {"4096 bytes", "from BOXCAR_BUFFER_BYTES"});
    EXPECT_EQ(elastic_conveyor(w, 100).buffer_bytes(), 4096U);
    const conveyor<long> given(w, {.buffer_bytes = 512});
    EXPECT_EQ(given.buffer_bytes(), 512U);
    expect_mentions(given.explain(), {"512 bytes", "as asked for"});
  });
}

TEST_F(buffer_variable, that_is_empty_counts_for_nothing) {
  set("");
  run_on(threads(2, 1), [](world& w) {
    expect_mentions(conveyor<long>(w).explain(), {"buffers: 2 links times 2 of"});
  });
}

TEST_F(buffer_variable, that_cannot_work_is_refused) {
  expect_refusal("large", {"BOXCAR_BUFFER_BYTES=large", "not a number"});
  expect_refusal("-1", {"BOXCAR_BUFFER_BYTES=-1", "not a number"});
  expect_refusal("7", {"BOXCAR_BUFFER_BYTES is 7", "8 bytes", "unset it"});
  expect_refusal("1073741825", {"BOXCAR_BUFFER_BYTES is 1073741825", "at most 1073741824"});
}

TEST_F(buffer_variable, must_be_the_same_on_all_pes) {
  run_on({substrate_kind::processes, 3, 1}, [](world& w) {
    const auto refusal = [&] {
      return thrown_by<argument_error>([&] { const conveyor<long> c(w); });
    };
    set(w.rank() == 1 ? "1024" : "2048");
    expect_mentions(refusal(), {"disagree", "BOXCAR_BUFFER_BYTES", "1024", "2048"});
    set(w.rank() == 1 ? "much" : "2048");
    expect_mentions(refusal(), {"PE 1", "BOXCAR_BUFFER_BYTES=much"});
    set("1024");
    EXPECT_EQ(conveyor<long>(w).buffer_bytes(), 1024U);
  });
}

}  // namespace
}  // namespace boxcar::test::choices_test
