// Tests that the setups of a suite in the gate are few, and have every pair of parameters.
#include "support/conveyor_setup.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/sanitizers.hpp"
#include "support/tier_cases.hpp"

namespace boxcar::test::conveyor_setup_test {
namespace {

using occurring = std::set<std::pair<std::string, std::string>>;

// The pairs of the variant with everything else.
occurring pairs_with_variant(const std::vector<conveyor_setup>& setups) {
  occurring pairs;
  for (const conveyor_setup& s : setups) {
    pairs.insert({s.variant, "pes " + std::to_string(s.shape.pes < 16 ? s.shape.pes : 16)});
    pairs.insert({s.variant, "nodes " + std::to_string(static_cast<int>(s.shape.nodes > 1))});
    pairs.insert({s.variant, "substrate " + std::to_string(static_cast<int>(s.shape.substrate))});
    pairs.insert({s.variant, s.item_bytes >= 1000    ? "large"
                             : s.item_bytes % 8 == 0 ? "words"
                                                     : "unaligned"});
    pairs.insert({s.variant, "buffers " + std::to_string(s.options.buffers_per_link)});
    pairs.insert({s.variant, s.options.steady ? "steady" : "not steady"});
    pairs.insert({s.variant, s.options.dynamic_memory ? "dynamic" : "not dynamic"});
  }
  return pairs;
}

std::vector<world_shape> four_layouts() {
  using enum substrate_kind;
  return {{threads, 1, 1},   {threads, 2, 2},   {threads, 3, 2},   {threads, 4, 1},
          {processes, 1, 1}, {processes, 2, 2}, {processes, 3, 2}, {processes, 4, 1}};
}

class setups_in_the_gate : public testing::Test {
 protected:
  void SetUp() override {
    if (test_tier() != tier::gate) GTEST_SKIP() << "other tiers have all setups";
    if (with_sanitizer) GTEST_SKIP() << "sanitizers see few shapes";
    if (cluster_pes() != 0) GTEST_SKIP() << "in a cluster's job nothing is in pairs";
  }
};

TEST_F(setups_in_the_gate, have_every_variant_with_everything_else) {
  EXPECT_EQ(pairs_with_variant(plain_setups(four_layouts())),
            pairs_with_variant(all_plain_setups(four_layouts())));
  occurring all = pairs_with_variant(all_plain_setups(four_layouts()));
  for (const conveyor_setup& setup : all_plain_setups(four_layouts())) {
    for (const int buffers : {1, 2, 4}) {
      all.insert({setup.variant, "buffers " + std::to_string(buffers)});
    }
    for (const char* option :
         {"unaligned", "words", "large", "steady", "not steady", "dynamic", "not dynamic"}) {
      all.insert({setup.variant, option});
    }
  }
  EXPECT_EQ(pairs_with_variant(varied_setups(four_layouts())), all);
}

TEST_F(setups_in_the_gate, are_few) {
  EXPECT_LT(3 * plain_setups(all_shapes()).size(), 2 * all_plain_setups(all_shapes()).size());
}

TEST_F(setups_in_the_gate, have_every_size_of_items) {
  std::set<std::size_t> sizes;
  for (const conveyor_setup& setup : varied_setups(four_layouts())) sizes.insert(setup.item_bytes);
  EXPECT_EQ(sizes, std::set<std::size_t>(item_sizes.begin(), item_sizes.end()));
}

TEST_F(setups_in_the_gate, pass_the_filter) {
  for (const conveyor_setup& setup : varied_setups(four_layouts(), is_fixed_size)) {
    EXPECT_FALSE(setup.elastic);
  }
  for (const conveyor_setup& setup : plain_setups(four_layouts(), is_elastic)) {
    EXPECT_TRUE(setup.elastic);
  }
}

TEST_F(setups_in_the_gate, have_every_shape_of_threads_and_every_selection) {
  std::set<std::string> shapes;
  for (const conveyor_setup& setup : plain_setups(all_shapes())) {
    shapes.insert(name_of(setup.shape));
  }
  for (const world_shape& shape : all_shapes()) {
    if (shape.substrate == substrate_kind::threads) {
      EXPECT_TRUE(shapes.contains(name_of(shape)));
    }
  }
  const auto has = [&shapes](const std::string& start) {
    const auto at = shapes.lower_bound(start);
    return at != shapes.end() && at->starts_with(start);
  };
  EXPECT_TRUE(has("threads_p64_"));
  EXPECT_TRUE(has("processes_p64_"));
  EXPECT_TRUE(has("processes_p4_"));
}

}  // namespace
}  // namespace boxcar::test::conveyor_setup_test
