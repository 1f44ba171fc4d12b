// Tests of impossible options of an elastic conveyor: every PE gets the same argument_error, with
// the reason, and the world goes on.
#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/elastic_conveyor.hpp>
#include <boxcar/error.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::bad_options_test {
namespace {

const std::vector<world_shape> four_pes{{substrate_kind::threads, 4, 1},
                                        {substrate_kind::processes, 4, 2}};

template <typename Make>
void expect_refusal(world& w, const Make& make_conveyor, const std::vector<std::string>& mentions) {
  const std::string text = thrown_by<argument_error>(make_conveyor);
  for (const std::string& part : mentions) expect_mentions(text, {part});
  std::array<char, 400> mine{};
  text.copy(mine.data(), mine.size() - 1);
  EXPECT_STREQ(w.broadcast(mine).data(), mine.data());

  elastic_conveyor good(w, 100);
  const session s = good.begin();
  while (good.advance(true)) {
  }
}

struct bad_elastic_case {
  std::string name;
  conveyor_options options;
  std::vector<std::string> mentions;
};

std::string name_of(const bad_elastic_case& c) {
  return c.name;
}

const std::vector<bad_elastic_case> cases{
    {"simple", {.kind = conveyor_kind::simple}, {"asynchronous", "tensor"}},
    {"twohop", {.kind = conveyor_kind::twohop}, {"asynchronous", "tensor"}},
    {"scatter", {.scatter = true}, {"scatter"}},
    {"buffer_too_small_for_a_ticket", {.buffer_bytes = 31}, {"buffer_bytes is 31", "32"}},
    {"buffers_per_link_3", {.buffers_per_link = 3}, {"buffers_per_link is 3", "1, 2 or 4"}},
    {"hops_4", {.hops = 4}, {"hops is 4", "1, 2 or 3"}},
    {"group_that_does_not_divide", {.hops = 3, .local_group = 3}, {"3", "1, 2, 4"}},
};

class bad_elastic_options : public testing::TestWithParam<shaped<bad_elastic_case>> {};

TEST_P(bad_elastic_options, are_refused) {
  const bad_elastic_case& bad = GetParam().detail;
  run_on(GetParam().shape, [&](world& w) {
    expect_refusal(
        w, [&] { elastic_conveyor(w, 1000, bad.options); }, bad.mentions);
  });
}

// Only a single PE has impossible options; all PEs get the error.
TEST_P(bad_elastic_options, of_one_pe_are_refused_everywhere) {
  run_on(GetParam().shape, [&](world& w) {
    const conveyor_options options = w.rank() == 2 ? GetParam().detail.options : conveyor_options{};
    expect_refusal(w, [&] { elastic_conveyor(w, 1000, options); }, {"PE 2"});
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, bad_elastic_options,
                         testing::ValuesIn(on_shapes(four_pes, cases)), by_name{});

class elastic_options : public testing::TestWithParam<world_shape> {};

// Options for fixed-size items do no harm.
TEST_P(elastic_options, that_do_not_matter_are_fine) {
  run_on(GetParam(), [](world& w) {
    elastic_conveyor c(w, 1000, {.hops = 2, .buffer_bytes = 64, .compress = true});
    EXPECT_EQ(c.explain().find("compress"), std::string::npos) << c.explain();
    const session s = c.begin();
    EXPECT_TRUE(c.push("text", w.size() - 1));
    int arrived = 0;
    while (c.advance(true)) {
      while (const auto item = c.pull()) {
        EXPECT_EQ(item->text(), "text");
        ++arrived;
      }
    }
    EXPECT_EQ(arrived, w.rank() == w.size() - 1 ? w.size() : 0);
  });
}

TEST_P(elastic_options, must_agree_on_the_largest_item) {
  run_on(GetParam(), [](world& w) {
    const std::size_t largest = w.rank() == 1 ? 2000 : 1000;
    expect_refusal(w, [&] { elastic_conveyor(w, largest); }, {"disagree", "1000", "2000"});
  });
}

INSTANTIATE_TEST_SUITE_P(elastic, elastic_options, testing::ValuesIn(four_pes), by_name{});

}  // namespace
}  // namespace boxcar::test::bad_options_test
