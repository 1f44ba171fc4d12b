// Tests of gathering items for one destination: Table 2.3, conditions 2.1 and 2.3 to 2.5, equations
// 6.1, 6.2.
#include <gtest/gtest.h>

#include <boxcar/model.hpp>

#include "support/dice.hpp"

namespace boxcar::test::streaming_test {
namespace {

using model::bottleneck;
using model::streaming;

constexpr bottleneck everywhere[] = {bottleneck::source, bottleneck::network,
                                     bottleneck::destination};

// Every number leaves its trace in the results.
constexpr streaming example{.item_bytes = 16,
                            .header_bytes = 80,
                            .send_seconds = 3,
                            .receive_seconds = 5,
                            .gather_seconds = 0.25,
                            .latency_seconds = 7,
                            .seconds_per_byte = 0.5,
                            .items_per_buffer = 4,
                            .produce_seconds = 11,
                            .process_seconds = 13,
                            .items = 100};

void expect_stage(const model::stage_time& t, double single, double buffer, double per_item) {
  EXPECT_DOUBLE_EQ(t.single_seconds, single);
  EXPECT_DOUBLE_EQ(t.buffer_seconds, buffer);
  EXPECT_DOUBLE_EQ(t.per_item_seconds, per_item);
}

TEST(streaming, stages_take_the_times_of_table_2_3) {
  expect_stage(source_stage(example), 11 + 3, 4 * (11 + 0.25) + 3, 11 + 0.25 + 3.0 / 4);
  expect_stage(network_stage(example), 7 + 0.5 * (16 + 80), 7 + 0.5 * (4 * 16 + 80),
               (7 + 0.5 * 80) / 4 + 0.5 * 16);
  expect_stage(destination_stage(example), 5 + 13, 5 + 4 * 13, 5.0 / 4 + 13);
}

TEST(streaming, total_is_the_slowest_stage_for_all_and_the_others_once) {
  const double others =
      source_stage(example).single_seconds + network_stage(example).single_seconds;
  EXPECT_DOUBLE_EQ(total_seconds_singly(example, bottleneck::destination), 100 * 18 + others);
  const double others_gathered =
      source_stage(example).buffer_seconds + destination_stage(example).buffer_seconds;
  EXPECT_DOUBLE_EQ(total_seconds_gathered(example, bottleneck::network),
                   25 * network_stage(example).buffer_seconds + others_gathered);
}

streaming random_streaming(dice& d) {
  const auto number = [&d](double most) { return most * (1 + d.below(1000)) / 1000; };
  return {.item_bytes = number(64),
          .header_bytes = number(100),
          .send_seconds = number(3e-6),
          .receive_seconds = number(3e-6),
          .gather_seconds = number(1e-6),
          .latency_seconds = number(3e-6),
          .seconds_per_byte = number(1e-8),
          .items_per_buffer = static_cast<double>(1 + d.below(200)),
          .produce_seconds = number(1e-7),
          .process_seconds = number(1e-7),
          .items = static_cast<double>(1 + d.below(2000))};
}

// The conditions hold exactly where the total is less, if the whole latency is exposed. Times so
// close that rounding decides are left out.
TEST(streaming, pays_where_the_total_is_less) {
  dice d(program_seed(22));
  int pays[2] = {};
  for (int i = 0; i < 20000; ++i) {
    const streaming s = random_streaming(d);
    for (const bottleneck slowest : everywhere) {
      const double less = total_seconds_singly(s, slowest) - total_seconds_gathered(s, slowest);
      const model::balance b = gathering_balance(s, slowest, s.latency_seconds);
      ASSERT_NEAR(b.saving_seconds - b.cost_seconds, less, 1e-9 * total_seconds_singly(s, slowest));
      if (std::abs(less) < 1e-9 * total_seconds_singly(s, slowest)) continue;
      ASSERT_EQ(b.pays(), less > 0);
      ++pays[b.pays() ? 1 : 0];
    }
  }
  EXPECT_GT(pays[0], 1000);
  EXPECT_GT(pays[1], 1000);
}

TEST(streaming, pays_less_at_the_network_if_latencies_overlap) {
  const auto all = gathering_balance(example, bottleneck::network, example.latency_seconds);
  const auto half = gathering_balance(example, bottleneck::network, example.latency_seconds / 2);
  EXPECT_DOUBLE_EQ(all.saving_seconds - half.saving_seconds, 100 * 0.75 * 3.5);
  EXPECT_DOUBLE_EQ(all.cost_seconds, half.cost_seconds);
}

TEST(streaming, source_is_shortened_where_condition_2_1_says) {
  dice d(program_seed(21));
  int shorter[2] = {};
  for (int i = 0; i < 2000; ++i) {
    const streaming s = random_streaming(d);
    const auto stage = source_stage(s);
    const double less = stage.single_seconds - stage.per_item_seconds;
    if (std::abs(less) < 1e-9 * stage.single_seconds) continue;
    ASSERT_EQ(gathering_shortens_source(s), less > 0);
    ++shorter[less > 0 ? 1 : 0];
  }
  EXPECT_GT(shorter[0], 100);
  EXPECT_GT(shorter[1], 100);
}

// Equations 6.1 and 6.2, by counting the savings: z messages become z/g.
TEST(streaming, saves_all_but_one_of_the_messages_of_a_buffer) {
  const double messages_saved = 100 - 100.0 / 4;
  EXPECT_DOUBLE_EQ(processor_seconds_saved(example), messages_saved * (3 + 5) - 100 * 0.25);
  EXPECT_DOUBLE_EQ(network_seconds_saved(example), messages_saved * 80 * 0.5);
  // A buffer of one item saves nothing; by the printed equations it would save all.
  streaming single = example;
  single.items_per_buffer = 1;
  EXPECT_DOUBLE_EQ(processor_seconds_saved(single), -100 * 0.25);
  EXPECT_DOUBLE_EQ(network_seconds_saved(single), 0);
}

}  // namespace
}  // namespace boxcar::test::streaming_test
