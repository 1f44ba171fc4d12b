// Tests of impossible options, and of PEs with different options: every PE gets the same
// argument_error, with the reason, and the world goes on.
#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include <boxcar/biconveyor.hpp>
#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::bad_options_test {
namespace {

template <std::size_t Bytes>
struct item_of_size {
  std::array<char, Bytes> bytes;
};

static_assert(item<item_of_size<65536>>);
static_assert(!item<item_of_size<65537>>);
static_assert(!item<std::string>);

// The shapes have 4 PEs, because some options are wrong for this number only.
const std::vector<world_shape> four_pes =
    or_cluster({{substrate_kind::threads, 4, 1}, {substrate_kind::processes, 4, 2}});

// Expects `make_conveyor` to fail with the same text on all PEs, and the world to be as good as
// before.
template <typename Make>
void expect_refusal(world& w, const Make& make_conveyor, const std::vector<std::string>& mentions) {
  const std::string text = thrown_by<argument_error>(make_conveyor);
  for (const std::string& part : mentions) expect_mentions(text, {part});
  std::array<char, 400> mine{};
  text.copy(mine.data(), mine.size() - 1);
  EXPECT_STREQ(w.broadcast(mine).data(), mine.data());

  conveyor<int> good(w);
  const session s = good.begin();
  while (good.advance(true)) {
  }
}

struct bad_options_case {
  std::string name;
  conveyor_options options;
  std::vector<std::string> mentions;
};

std::string name_of(const bad_options_case& c) {
  return c.name;
}

const std::vector<bad_options_case> bad_options_cases{
    {"buffers_per_link_3", {.buffers_per_link = 3}, {"buffers_per_link is 3", "1, 2 or 4"}},
    {"buffers_per_link_0", {.buffers_per_link = 0}, {"buffers_per_link is 0", "1, 2 or 4"}},
    {"buffers_per_link_negative", {.buffers_per_link = -2}, {"buffers_per_link is -2"}},
    {"buffer_too_small", {.buffer_bytes = 99}, {"buffer_bytes is 99", "100 bytes"}},
    {"buffer_too_large",
     {.buffer_bytes = std::numeric_limits<std::size_t>::max()},
     {"buffer_bytes is 18446744073709551615", "at most"}},
    {"hops_negative", {.hops = -1}, {"hops is -1", "1, 2 or 3"}},
    {"hops_4", {.hops = 4}, {"hops is 4", "1, 2 or 3"}},
    {"hops_of_simple", {.kind = conveyor_kind::simple, .hops = 2}, {"hops is 2"}},
    {"hops_of_twohop", {.kind = conveyor_kind::twohop, .hops = 3}, {"hops is 3"}},
    {"group_negative", {.hops = 2, .local_group = -2}, {"local_group is -2"}},
    {"group_that_does_not_divide", {.hops = 2, .local_group = 3}, {"3", "1, 2"}},
    {"group_larger_than_world", {.hops = 3, .local_group = 8}, {"8", "1, 2"}},
    {"scatter_with_hops", {.hops = 2, .scatter = true}, {"scatter"}},
    {"route_for_others", {.way = route::direct(5)}, {"route is for 5 PEs", "world has 4"}},
    {"route_and_hops", {.hops = 2, .way = route::direct(4)}, {"direct", "leave `hops`"}},
    {"route_and_group",
     {.local_group = 2, .way = route::teams(4, {2, 2})},
     {"teams", "`local_group`"}},
    {"route_of_synchronous_kind",
     {.kind = conveyor_kind::twohop, .way = route::matrix(4, 2)},
     {"matrix", "asynchronous", "kind"}},
    {"route_with_scatter", {.way = route::matrix(4, 2), .scatter = true}, {"scatter"}},
    {"unknown_kind", {.kind = static_cast<conveyor_kind>(77)}, {"kind", "77"}},
};

class bad_options : public testing::TestWithParam<shaped<bad_options_case>> {};

TEST_P(bad_options, are_refused) {
  const bad_options_case& bad = GetParam().detail;
  run_on(GetParam().shape, [&](world& w) {
    expect_refusal(
        w, [&] { conveyor<item_of_size<100>>(w, bad.options); }, bad.mentions);
  });
}

// Only PE 2 has impossible options; all PEs get the error.
TEST_P(bad_options, of_one_pe_are_refused_everywhere) {
  run_on(GetParam().shape, [&](world& w) {
    const conveyor_options options = w.rank() == 2 ? GetParam().detail.options : conveyor_options{};
    expect_refusal(w, [&] { conveyor<item_of_size<100>>(w, options); }, {"PE 2"});
  });
}

INSTANTIATE_TEST_SUITE_P(conveyor, bad_options,
                         testing::ValuesIn(on_shapes(four_pes, bad_options_cases)), by_name{});

struct disagreement_case {
  std::string option;
  conveyor_options first;
  conveyor_options second;
  std::vector<std::string> values;
};

std::string name_of(const disagreement_case& c) {
  return c.option;
}

const std::vector<disagreement_case> disagreement_cases{
    {"kind", {.kind = conveyor_kind::tensor}, {.kind = conveyor_kind::simple}, {}},
    {"hops", {.hops = 1}, {.hops = 2}, {"1", "2"}},
    {"local_group", {.hops = 2, .local_group = 2}, {.hops = 2, .local_group = 1}, {"2", "1"}},
    {"buffer_bytes", {.buffer_bytes = 1024}, {.buffer_bytes = 2048}, {"1024", "2048"}},
    {"buffers_per_link", {.buffers_per_link = 2}, {.buffers_per_link = 4}, {"2", "4"}},
    {"max_bytes", {.max_bytes = 1 << 20}, {.max_bytes = 1 << 21}, {"1048576", "2097152"}},
    {"steady", {.steady = false}, {.steady = true}, {}},
    {"dynamic_memory", {.dynamic_memory = true}, {.dynamic_memory = false}, {}},
    {"scatter", {.scatter = true}, {.scatter = false}, {}},
    {"alert", {.alert = false}, {.alert = true}, {}},
    {"compress", {.compress = true}, {.compress = false}, {}},
    {"route", {.way = route::grid(4, {2, 2})}, {.way = route::direct(4)}, {"grid 2 x 2", "direct"}},
    {"route_or_none", {}, {.way = route::direct(4)}, {"route", "to be chosen"}},
};

class disagreement : public testing::TestWithParam<shaped<disagreement_case>> {};

TEST_P(disagreement, is_told_to_all) {
  const disagreement_case& c = GetParam().detail;
  run_on(GetParam().shape, [&](world& w) {
    const conveyor_options& mine = w.rank() < 3 ? c.first : c.second;
    const std::string what = c.option.substr(0, c.option.find("_or_"));
    std::vector<std::string> mentions{"disagree", what, "PE 0", "PE 3"};
    mentions.insert(mentions.end(), c.values.begin(), c.values.end());
    expect_refusal(
        w, [&] { conveyor<int>(w, mine); }, mentions);
  });
}

INSTANTIATE_TEST_SUITE_P(conveyor, disagreement,
                         testing::ValuesIn(on_shapes(four_pes, disagreement_cases)), by_name{});

class item_type : public testing::TestWithParam<world_shape> {};

// The types may differ at the same size.
TEST_P(item_type, must_be_the_same_on_all_pes) {
  run_on(GetParam(), [](world& w) {
    const auto make_one = [&] {
      if (w.rank() == 1) {
        conveyor<float> c(w);
      } else {
        conveyor<int> c(w);
      }
    };
    expect_refusal(w, make_one, {"disagree", "type", "PE 0 gives int", "PE 1 gives float"});
    const auto exchange_some = [&] {
      const auto nothing = [](auto&) {};
      if (w.rank() == 3) {
        exchange<item_of_size<100>>(w, nothing, [](const item_of_size<100>&) {});
      } else {
        exchange<long>(w, nothing, [](long) {});
      }
    };
    expect_refusal(w, exchange_some,
                   {"type", "PE 0 gives long", "PE 3 gives", "item_of_size<100>"});
    const auto ask = [&] {
      if (w.rank() == 2) {
        biconveyor<int, double> c(w);
      } else {
        biconveyor<int, long> c(w);
      }
    };
    expect_refusal(w, ask, {"type", "PE 0 gives long", "PE 2 gives double"});
  });
}

INSTANTIATE_TEST_SUITE_P(conveyor, item_type, testing::ValuesIn(four_pes), by_name{});

}  // namespace
}  // namespace boxcar::test::bad_options_test
