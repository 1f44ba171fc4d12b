// Tests of set_codec on a conveyor: legal times, and errors if the PEs disagree.
#include <gtest/gtest.h>
#include <sstream>

#include <boxcar/conveyor.hpp>
#include <boxcar/error.hpp>

#include "codec/odd_codecs.hpp"
#include "support/run_on.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::set_codec_test {
namespace {

const world_shape two_nodes{substrate_kind::threads, 4, 2};

void expect_working(conveyor<int>& c, int pes) {
  const session s = c.begin();
  int left = 100 * pes;
  int arrived = 0;
  while (c.advance(left == 0)) {
    while (left > 0 && c.push(7, left % pes)) --left;
    int item;
    while (c.pull(item)) arrived += item == 7 ? 1 : 0;
  }
  EXPECT_EQ(arrived, 100 * pes);
}

TEST(set_codec, is_illegal_unless_dormant) {
  run_on(two_nodes, [](world& w) {
    conveyor<int> c(w);
    const auto refused_in = [&](const char* state) {
      const std::string text = thrown_by<contract_error>([&] { c.set_codec(nullptr); });
      expect_mentions(text, {"set_codec", state, "reset"});
    };
    const session s = c.begin();
    refused_in("working");
    while (!c.push(1, w.rank())) c.advance(false);
    while (c.state() != conveyor_state::cleanup) c.advance(true);
    refused_in("cleanup");
    int item;
    while (c.pull(item)) {
    }
    c.advance(true);
    refused_in("complete");
    c.reset();
    c.set_codec(standard_codec());
  });
}

TEST(set_codec, holds_for_all_sessions_to_come) {
  run_on(two_nodes, [](world& w) {
    conveyor<int> c(w);
    const auto saves = [&] {
      expect_working(c, w.size());
      return w.reduce(c.session_statistics().hops.at(0).saved_bytes) > 0;
    };
    EXPECT_FALSE(saves());
    c.set_codec(standard_codec());
    EXPECT_TRUE(saves());
    EXPECT_TRUE(saves());
    c.set_codec(nullptr);
    EXPECT_FALSE(saves());
  });
}

TEST(set_codec, takes_the_place_of_the_option) {
  run_on(two_nodes, [](world& w) {
    conveyor<int> c(w, {.compress = true});
    expect_mentions(c.explain(), {"standard"});
    c.set_codec(roomy_codec());
    expect_mentions(c.explain(), {"roomy"});
    c.set_codec(nullptr);
    EXPECT_EQ(c.explain().find("codec"), std::string::npos);
    expect_working(c, w.size());
    EXPECT_EQ(c.session_statistics().hops.at(0).saved_bytes, 0);
  });
}

TEST(set_codec, must_be_the_same_on_all_pes) {
  run_on(two_nodes, [](world& w) {
    conveyor<int> c(w);
    std::string text = thrown_by<argument_error>(
        [&] { c.set_codec(w.rank() == 2 ? roomy_codec() : standard_codec()); });
    expect_mentions(text, {"PE 0 gives \"standard\"", "PE 2 gives \"roomy\""});
    text =
        thrown_by<argument_error>([&] { c.set_codec(w.rank() == 3 ? nullptr : standard_codec()); });
    expect_mentions(text, {"PE 0 gives \"standard\"", "PE 3 gives none"});
    expect_working(c, w.size());
    EXPECT_EQ(c.session_statistics().hops.at(0).saved_bytes, 0);
  });
}

TEST(option_compress, must_be_the_same_on_all_pes) {
  run_on(two_nodes, [](world& w) {
    const std::string text =
        thrown_by<argument_error>([&] { conveyor<int>(w, {.compress = w.rank() == 1}); });
    expect_mentions(text, {"compress", "PE 0 gives 0", "PE 1 gives 1"});
  });
}

// The error comes at `begin`, on all PEs; without the codec the conveyor works.
void expect_refused_plan(const std::function<codec_layout(int pe)>& plan,
                         std::initializer_list<std::string_view> mentions) {
  run_on(two_nodes, [&](world& w) {
    conveyor<int> c(w);
    c.set_codec(idle_codec(plan(w.rank())));
    expect_mentions(thrown_by<argument_error>([&] { const session s = c.begin(); }), mentions);
    EXPECT_EQ(c.state(), conveyor_state::dormant);
    c.set_codec(nullptr);
    expect_working(c, w.size());
  });
}

TEST(plan, must_be_possible) {
  expect_refused_plan([](int) { return codec_layout{.stride = 3}; },
                      {"\"idle\"", "stride is 3", "4 bytes"});
}

TEST(plan, must_be_the_same_on_all_pes) {
  expect_refused_plan(
      [](int pe) { return codec_layout{.align = 8, .stride = 4, .offset = pe == 1 ? 4u : 0u}; },
      {"\"idle\"", "different plans"});
}

TEST(saved_bytes, are_printed) {
  statistics s;
  s.hops.push_back({.remote_bytes = 40, .capacity_bytes = 100, .saved_bytes = 35});
  std::ostringstream out;
  out << s;
  expect_mentions(out.str(), {"40 bytes", "35 saved", "75 %"});
}

TEST(saved_bytes, add_up) {
  statistics a;
  a.hops.push_back({.saved_bytes = 5});
  statistics b;
  b.hops.push_back({.saved_bytes = -3});
  a += b;
  EXPECT_EQ(a.hops[0].saved_bytes, 2);
}

}  // namespace
}  // namespace boxcar::test::set_codec_test
