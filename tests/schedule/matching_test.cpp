// Tests of the matching of sends and receives, and of the errors for impossible graphs.
#include "schedule/matching.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

#include "support/dice.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::matching_test {
namespace {

using detail::matching;
using detail::outline;
using detail::outlined_vertex;
using detail::vertex_kind;

constexpr std::size_t eager = 100;

// PEs on nodes of their own.
matching match_all(const std::vector<outline>& pes) {
  std::vector<int> nodes;
  for (int pe = 0; pe < static_cast<int>(pes.size()); ++pe) nodes.push_back(pe);
  return detail::match_all(pes, nodes, {.between_nodes = eager, .within_node = 0});
}

outlined_vertex send(int pe, int tag, std::size_t bytes = 8, std::vector<int> after = {}) {
  return {
      vertex_kind::send, pe, tag, bytes, std::move(after), "send with tag " + std::to_string(tag)};
}
outlined_vertex receive(int pe, int tag, std::size_t bytes = 8, std::vector<int> after = {}) {
  return {vertex_kind::receive,
          pe,
          tag,
          bytes,
          std::move(after),
          "receive with tag " + std::to_string(tag)};
}

void expect_match(const matching& m, int pe, int vertex, int other_pe, int other) {
  const auto at = [&m](int p, int v) {
    return m.partners[static_cast<std::size_t>(p)][static_cast<std::size_t>(v)];
  };
  EXPECT_EQ(at(pe, vertex).pe, other_pe);
  EXPECT_EQ(at(pe, vertex).vertex, other);
  EXPECT_EQ(at(other_pe, other).pe, pe);
  EXPECT_EQ(at(other_pe, other).vertex, vertex);
}

TEST(matching, is_by_pe_tag_and_length) {
  const std::vector<outline> pes{
      {send(1, 1), send(1, 2), send(1, 2, 16), send(0, 1), receive(0, 1)},
      {receive(0, 2, 16), receive(0, any_tag), receive(any_pe, 2)}};
  const matching m = match_all(pes);
  EXPECT_EQ(m.problem, "");
  expect_match(m, 0, 0, 1, 1);
  expect_match(m, 0, 1, 1, 2);
  expect_match(m, 0, 2, 1, 0);
  expect_match(m, 0, 3, 0, 4);
}

// A receive that can only come second takes the second message, whichever messages it matches.
TEST(matching, is_one_that_a_run_leads_to) {
  // PE 0 has two receives from any PE, one behind the other, and sends to PE 2 after the first.
  const std::vector<outline> pes{
      {receive(any_pe, 1), receive(any_pe, 1, 8, {0}), send(2, 9, 8, {0})},
      {send(0, 1)},
      {receive(0, 9), send(0, 1, 8, {0})}};
  const matching m = match_all(pes);
  EXPECT_EQ(m.problem, "");
  expect_match(m, 0, 0, 1, 0);
  expect_match(m, 0, 1, 2, 1);
}

// Every prefix of an outline is refused, and so is an outline with any of its bytes set to ones,
// unless these bytes may be so: then every number is one that a PE could have packed.
TEST(matching, refuses_outlines_that_no_pe_has_packed) {
  const outline good{send(1, 1), receive(any_pe, any_tag, 16, {0}), send(0, 2, 8, {0, 1})};
  const std::vector<std::byte> bytes = packed(good);
  const outline same = detail::unpacked(bytes, 2);
  EXPECT_EQ(packed(same), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(static_cast<void>(detail::unpacked(cut, 2)), world_error) << length;
  }
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] = std::byte{0xff};
    try {
      for (const outlined_vertex& v : detail::unpacked(changed, 2)) {
        EXPECT_LE(v.kind, vertex_kind::compute);
        EXPECT_TRUE(v.pe == any_pe || v.pe == 0 || v.pe == 1) << v.pe;
        for (const int e : v.after) EXPECT_TRUE(e >= 0 && e < 3) << e;
      }
    } catch (const world_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(matching, misses_partners) {
  std::vector<outline> pes{{send(1, 3)}, {receive(0, 4)}};
  expect_mentions(match_all(pes).problem,
                  {"PE 0, send with tag 3 has no receive", "PE 1, receive with tag 4 has no send"});
  pes[1][0] = receive(0, 3, 16);
  expect_mentions(match_all(pes).problem, {"send with tag 3 has no receive",
                                           "lengths differ from PE 1, receive with tag 3"});
  pes[1][0] = receive(1, 3);
  EXPECT_NE(match_all(pes).problem, "");
  for (int i = 0; i < 20; ++i) pes[0].push_back(send(1, 50 + i));
  expect_mentions(match_all(pes).problem, {"tag 50", "more"});
}

// PEs that send before they receive make progress only if messages may wait at their receiver.
TEST(matching, knows_what_waits_for_its_receive) {
  const auto head_to_head = [](std::size_t bytes) {
    std::vector<outline> pes;
    for (const int other : {1, 0}) {
      pes.push_back({send(other, 1, bytes), receive(other, 1, bytes, {0})});
    }
    return match_all(pes).problem;
  };
  EXPECT_EQ(head_to_head(eager), "");
  // Within a node another limit holds.
  std::vector<outline> pes{{send(1, 1, 1), receive(1, 1, 1, {0})},
                           {send(0, 1, 1), receive(0, 1, 1, {0})}};
  EXPECT_NE(detail::match_all(pes, {0, 0}, {.between_nodes = eager, .within_node = 0}).problem, "");
  EXPECT_EQ(detail::match_all(pes, {0, 0}, {.between_nodes = 0, .within_node = 1}).problem, "");
  for (outline& pe : pes) {
    for (outlined_vertex& v : pe) v.bytes = 0;
  }
  EXPECT_NE(detail::match_all(pes, {0, 0}, {.between_nodes = eager}).problem, "");
  EXPECT_EQ(detail::match_all(pes, {0, 0}, {.between_nodes = 0, .within_node = 0}).problem, "");
  expect_mentions(head_to_head(eager + 1),
                  {"has no receive", "never starts", "eager_bytes", "100"});
}

TEST(matching, travels) {
  constexpr int pes = 4;
  dice d(1);
  for (int round = 0; round < 50; ++round) {
    outline one;
    const int length = d.below(10);
    for (int i = 0; i < length; ++i) {
      std::vector<int> after;
      for (int e = 0; e < i; ++e) {
        if (d.below(2) == 0) after.push_back(e);
      }
      const auto kind = static_cast<vertex_kind>(d.below(4));
      const int pe = kind == vertex_kind::send ? d.below(pes) : d.below(pes + 1) - 1;
      one.push_back({kind, pe, d.below(5) - 1, static_cast<std::size_t>(d.below(1000)), after,
                     std::string(static_cast<std::size_t>(d.below(20)), 'x')});
    }
    const outline again = detail::unpacked(detail::packed(one), pes);
    ASSERT_EQ(again.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(again[i].kind, one[i].kind);
      EXPECT_EQ(again[i].pe, one[i].pe);
      EXPECT_EQ(again[i].tag, one[i].tag);
      EXPECT_EQ(again[i].bytes, one[i].bytes);
      EXPECT_EQ(again[i].after, one[i].after);
      EXPECT_EQ(again[i].description, one[i].description);
    }
  }
}

}  // namespace
}  // namespace boxcar::test::matching_test
