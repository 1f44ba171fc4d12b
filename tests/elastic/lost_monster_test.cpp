// Tests of a PE that fails while its monster waits, and goes on with other work. The receiver of
// the ticket must not take other data of the failed PE for the monster.
#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <boxcar/elastic_conveyor.hpp>

#include "elastic/elastic_setup.hpp"
#include "support/by_name.hpp"
#include "support/client_file.hpp"
#include "support/run_on.hpp"
#include "support/shared_array.hpp"

namespace boxcar::test::lost_monster_test {
namespace {

constexpr std::size_t monster = 300'000;

class lost_monster : public testing::TestWithParam<elastic_setup> {};

void wait_for(const std::atomic<int>& step, int value) {
  while (step < value) std::this_thread::yield();
}

// Lets the ticket arrive, without a pull.
void advance_together(world& w, elastic_conveyor& c) {
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) static_cast<void>(c.advance(false));
    w.barrier();
  }
}

TEST_P(lost_monster, overwrites_no_file_of_its_sender) {
  shared_array<std::atomic<int>> steps(1);
  std::atomic<int>& step = steps[0];
  observe(GetParam().shape, [&](world& w) {
    const int receiver = w.size() - 1;
    try {
      elastic_conveyor c(w, monster, GetParam().options);
      const session s = c.begin();
      if (w.rank() == 0) {
        EXPECT_TRUE(c.push(std::vector<std::byte>(monster), receiver));
      }
      advance_together(w, c);
      if (w.rank() == 0) throw std::runtime_error("the sender gives up");
      if (w.rank() == receiver) {
        wait_for(step, 1);
        while (c.pull()) {
        }
      }
    } catch (const std::runtime_error&) {
      // The sessions of the other PEs cannot be finished any more, either.
    }
    if (w.rank() == 0) {
      const std::string content(2 * monster, 'x');
      const client_file file(content);
      int none = 0;  // or the receiver has got the failure before, and is done
      step.compare_exchange_strong(none, 1);
      wait_for(step, 2);
      EXPECT_TRUE(file.content() == content);
    }
    if (w.rank() == receiver) step = 2;
  });
  EXPECT_EQ(step, 2);
}

INSTANTIATE_TEST_SUITE_P(elastic, lost_monster,
                         testing::ValuesIn(plain_elastic_setups(with_at_least(2, small_shapes()))),
                         by_name{});

}  // namespace
}  // namespace boxcar::test::lost_monster_test
