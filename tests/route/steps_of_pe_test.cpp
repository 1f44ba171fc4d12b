// Tests of the first and the later steps of items over any route: items use the lanes of the links
// that their route names, whether a step is listed, computed or looked up.
#include "route/steps_of_pe.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include <boxcar/detail/packet.hpp>
#include <boxcar/route.hpp>

#include "route/many_routes.hpp"
#include "route/route_function.hpp"

namespace boxcar::test::steps_of_pe_test {
namespace {

using detail::lane;
using detail::step;
using detail::steps_of_pe;
using detail::tagged_route;

// All PEs of a world, over whose links items go as in a conveyor.
class followers {
 public:
  followers(const route& way, bool all_hops) : path_(way.function().tagged()) {
    for (int pe = 0; pe < path_.pes(); ++pe) {
      steps_.push_back(std::make_unique<steps_of_pe>(path_, way, pe, all_hops));
      auto& links = links_.emplace_back();
      for (int hop = 0; hop < path_.hops(); ++hop) {
        for (const int to : steps_.back()->plan(hop).outgoing) links.push_back({to, hop});
      }
    }
  }

  [[nodiscard]] const tagged_route& path() const { return path_; }

  // The stops of an item. `listed`: steps come from lists, wherever there are any.
  std::vector<int> stops(int from, int to, bool listed) {
    const detail::first_steps first = steps_[at(from)]->setting_out(lanes_.data());
    const auto destination = static_cast<std::uint32_t>(to);
    step s = listed ? first.to(destination) : first.computed(destination);
    std::vector<int> stops;
    for (int here = from;;) {
      const link taken = links_[at(here)].at(static_cast<std::size_t>(s.to - lanes_.data()));
      EXPECT_EQ(s.tag_bytes, static_cast<std::size_t>(path_.tag_bytes(taken.hop)));
      // The tag is cut to the bytes sent; elastic items, whose steps are not listed, have the whole
      // tag.
      const std::uint32_t tag =
          listed ? s.tag & detail::tag_mask(static_cast<int>(s.tag_bytes)) : s.tag;
      const int sender = std::exchange(here, taken.pe);
      stops.push_back(here);
      if (taken.hop + 1 == path_.hops()) {
        const detail::origin source = steps_[at(here)]->source(sender);
        EXPECT_EQ(listed ? source.of(tag) : source.of_word(tag), from);
        return stops;
      }
      s = next(here, taken.hop, sender, tag, listed);
    }
  }

 private:
  struct link {
    int pe;
    int hop;
  };

  static std::size_t at(int pe) { return static_cast<std::size_t>(pe); }

  step next(int pe, int hop, int sender, std::uint32_t tag, bool listed) {
    const steps_of_pe& steps = *steps_[at(pe)];
    const auto by = listed ? steps.rule_behind(hop) : steps.elastic_rule();
    lane* const lanes = lanes_.data();
    if (by == steps_of_pe::rule::listed) {
      return steps.steps_behind<detail::listed_steps>(hop, sender, lanes).of(tag);
    }
    if (by == steps_of_pe::rule::tabled) {
      return steps.steps_behind<detail::tabled_steps>(hop, sender, lanes).of(tag);
    }
    return steps.steps_behind<detail::computed_steps>(hop, sender, lanes).of(tag);
  }

  tagged_route path_;
  std::vector<std::unique_ptr<steps_of_pe>> steps_;  // by PE
  std::vector<std::vector<link>> links_;             // by PE and number
  std::array<lane, 2048> lanes_{};                   // of any PE: only the addresses matter
};

// The stops without hops from a PE to itself, but for the last.
std::vector<int> without_loops(int from, const std::vector<int>& stops) {
  std::vector<int> kept;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const int before = i == 0 ? from : stops[i - 1];
    if (i + 1 == stops.size() || stops[i] != before) kept.push_back(stops[i]);
  }
  return kept;
}

void check(const route& way, int stride) {
  SCOPED_TRACE(way.describe());
  followers f(way, false);
  followers of_all_hops(way, true);
  for (int from = 0; from < way.pes() && !testing::Test::HasFailure(); from += stride) {
    for (int to = 0; to < way.pes(); ++to) {
      const std::vector<int> computed = f.stops(from, to, false);
      ASSERT_EQ(computed.back(), to) << "from " << from;
      const std::vector<int> listed = f.stops(from, to, true);
      ASSERT_EQ(without_loops(from, listed), without_loops(from, computed)) << from << " to " << to;
      if (way.pes() <= 16) {  // all tags have one byte at most
        ASSERT_EQ(listed, without_loops(from, computed)) << from << " to " << to;
      }
      if (f.path().hops() == 2) {
        ASSERT_EQ(of_all_hops.stops(from, to, true), computed) << from << " to " << to;
      }
    }
  }
}

TEST(steps_of_a_pe, are_the_same_in_a_list_but_for_hops_that_lead_nowhere) {
  for (const int pes : {1, 2, 6, 8, 12, 16, 17, 24}) {
    for (const route& way : every_route(pes)) check(way, 1);
    if (HasFailure()) return;
  }
}

// Worlds with tags of one byte behind tags of two, and worlds without lists of first steps.
TEST(steps_of_a_pe, are_the_same_in_large_worlds) {
  check(route::grid(64, {4, 4, 4}), 7);
  check(route::teams(240, {15, 16}), 37);
  check(route::grid(250, {0, 4, 8}), 37);
  check(route::matrix(512, 2), 101);
  check(route::matrix(600, 300), 101);
  check(route::tensor(240, 12), 37);
  check(route::tensor(486, 9), 101);
  check(route::grid(300, {5, 6, 10}), 101);
}

}  // namespace
}  // namespace boxcar::test::steps_of_pe_test
