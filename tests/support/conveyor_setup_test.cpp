// What is left of the setups of a test still has every shape and every variant.
#include "support/conveyor_setup.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "support/sanitizers.hpp"

namespace boxcar::test {
namespace {

struct what_occurs {
  std::set<std::string> shapes;
  std::set<std::string> variants;

  bool operator==(const what_occurs&) const = default;
};

what_occurs occurring_in(const std::vector<conveyor_setup>& setups, substrate_kind substrate) {
  what_occurs found;
  for (const conveyor_setup& setup : setups) {
    if (setup.shape.substrate != substrate) continue;
    found.shapes.insert(name_of(setup.shape));
    found.variants.insert(setup.variant);
  }
  return found;
}

void expect_all_to_occur(const std::vector<conveyor_setup>& all) {
  const std::vector<conveyor_setup> third = a_third_of(all);
  EXPECT_LT(third.size(), all.size());
  using enum substrate_kind;
  for (const substrate_kind substrate : {threads, processes, cluster}) {
    EXPECT_EQ(occurring_in(third, substrate), occurring_in(all, substrate));
  }
}

TEST(a_third_of_the_setups, has_all_shapes_and_variants) {
  if (with_sanitizer) GTEST_SKIP() << "sanitizers see few shapes";
  using enum substrate_kind;
  const std::vector<world_shape> two_layouts{{cluster, 2, 1}, {cluster, 2, 2}};
  const std::vector<world_shape> three_layouts{{cluster, 4, 2}, {cluster, 4, 3}, {cluster, 4, 4}};
  for (const auto& shapes : {all_shapes(), two_layouts, three_layouts}) {
    expect_all_to_occur(plain_setups(shapes));
    expect_all_to_occur(varied_setups(shapes));
    expect_all_to_occur(fixed_size_only(varied_setups(shapes)));
  }
}

}  // namespace
}  // namespace boxcar::test
