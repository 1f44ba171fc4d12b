// Nothing on a PE grows with the number of PEs: what one holds, at any moment from the construction
// of anything to the end of its session, is a little and what belongs to the links that it has.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <boxcar/boxcar.hpp>

#include "memory/allocation_meter.hpp"
#include "scale/scale_cases.hpp"
#include "support/by_name.hpp"
#include "support/thrown.hpp"

namespace boxcar::test::scale_test {
namespace {

struct size_case {
  int pes;
  int pes_per_node;
};

std::string name_of(const size_case& c) {
  return std::to_string(c.pes) + "_pes";
}

void PrintTo(const size_case& c, std::ostream* out) {
  *out << name_of(c);
}

// Of the last, no number divides that of the PEs; the last node has fewer.
constexpr size_case sizes[] = {{1000, 20}, {10'000, 50}, {100'000, 50}, {100'003, 50}};

class scale : public testing::TestWithParam<size_case> {
 protected:
  // A world, and the rest of it.
  static std::pair<world, pretended_world*> make_world() {
    const auto [pes, per_node] = GetParam();
    auto rest = std::make_unique<pretended_world>(pes, per_node, scale_rank(per_node));
    pretended_world* const others = rest.get();
    return {world(std::move(rest)), others};
  }
};

// Without the buffers, which here belong to the others.
std::size_t most_bytes(const scale_case& c) {
  constexpr std::size_t of_a_part = 4096;
  constexpr std::size_t of_a_link = 256;
  // Room for the numbers of those who were asked, and for what comes from some PEs.
  constexpr std::size_t of_questions = 40'000;
  return c.parts * of_a_part + c.links * of_a_link + (c.asks ? of_questions : 0);
}

TEST_P(scale, leaves_what_a_pe_holds_to_its_links) {
  for (const scale_case& c : scale_cases(GetParam().pes, GetParam().pes_per_node)) {
    auto [w, others] = make_world();
    const std::size_t before = allocated_bytes();
    std::string step = "start";
    const auto check = [&] {
      EXPECT_LE(peak_bytes() - before, most_bytes(c)) << c.name << ", " << step;
    };
    restart_peak();
    c.run(w, *others, [&](const char* next) {
      check();
      step = next;
      restart_peak();
    });
    check();
    EXPECT_EQ(others->gathered_bytes(), 0U) << c.name;
  }
}

// Who asks for nothing gets what fits, and is told why.
TEST_P(scale, has_defaults_that_fit) {
  auto [w, others] = make_world();
  constexpr std::size_t most = 4'000'000;  // without buffers
  const std::size_t before = allocated_bytes();
  restart_peak();
  {
    const conveyor<long> c(w);
    expect_mentions(c.explain(), {GetParam().pes < 2000 ? "one hop" : "two hops",
                                  "the fewest whose buffers fit in", "machine's memory"});
    EXPECT_GE(c.buffer_bytes(), 2048U);
  }
  {
    const stream<long> s(w, [](long) {});
    expect_mentions(s.explain(), {GetParam().pes < 2000 ? "direct" : "grid",
                                  "the fewest whose buffers fit in", "machine's memory"});
  }
  EXPECT_LE(peak_bytes() - before, most);
  EXPECT_EQ(others->gathered_bytes(), 0U);
}

// Very many small nodes, and numbers that nothing divides: what is chosen can be made,
// be memory ever so much.
TEST(scale_of_choices, can_be_made_for_any_number_of_pes) {
  constexpr std::size_t very_much = std::size_t{1} << 40;
  for (const size_case c : {size_case{131'072, 1},
                            {524'288, 1},
                            {200'006, 2},
                            {262'144, 2},
                            {393'216, 24},
                            {1'048'448, 128},
                            {1'048'573, 1}}) {
    SCOPED_TRACE(name_of(c) + ", " + std::to_string(c.pes_per_node) + " on each node");
    const world w(std::make_unique<pretended_world>(c.pes, c.pes_per_node, 0));
    for (const std::uint64_t items : {std::uint64_t{0}, std::uint64_t{1000}}) {
      const stream<long> by_default(w, [](long) {}, {.items_per_pe = items});
      EXPECT_EQ(by_default.explain().find("nothing fits"), std::string::npos)
          << by_default.explain();
      // Buffers are small, as they are memory of this process.
      const stream<long> open(w, [](long) {},
                              {.buffer_bytes = 64, .items_per_pe = items, .max_bytes = very_much});
      EXPECT_EQ(open.explain().find("nothing fits"), std::string::npos) << open.explain();
    }
    const conveyor<long> by_default(w);
    EXPECT_EQ(by_default.explain().find("nothing fits"), std::string::npos) << by_default.explain();
  }
}

INSTANTIATE_TEST_SUITE_P(scale, scale, testing::ValuesIn(sizes), by_name{});

}  // namespace
}  // namespace boxcar::test::scale_test
