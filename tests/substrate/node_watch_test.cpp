// Tests that a PE notices the end of a process on another node, and does not regard a process as
// lost that the PE never reached.
#include "substrate/cluster/node_watch.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>

namespace boxcar::detail::node_watch_test {
namespace {

using namespace std::chrono_literals;

class node_watch_test : public testing::Test {
 protected:
  void watch(const std::string& place) {
    watch_.watch(5, place);
    let_kernel_work();
  }
  [[nodiscard]] std::string loss_after(std::chrono::milliseconds time) {
    return watch_.loss(start_ + time);
  }
  void end_other() {
    other_.reset();
    let_kernel_work();
  }
  // Connections within a machine are made and reset at once; under load a little later.
  static void let_kernel_work() { std::this_thread::sleep_for(100ms); }

  std::optional<node_watch> other_{std::in_place, 5, "127.0.0.1", 10s};
  node_watch watch_{3, "127.0.0.1", 10s};
  node_watch::clock::time_point start_ = node_watch::clock::now();
};

TEST_F(node_watch_test, says_nothing_of_one_that_lives) {
  watch(other_->place());
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_EQ(loss_after(1h), "");
}

TEST_F(node_watch_test, gives_the_launcher_time) {
  watch(other_->place());
  EXPECT_EQ(loss_after(0s), "");
  end_other();
  EXPECT_EQ(loss_after(3h), "");
  EXPECT_EQ(loss_after(3h + 1s), "");
  const std::string loss = loss_after(3h + 2s);
  EXPECT_EQ(loss.find("PE 3 has lost PE 5 on "), 0) << loss;
  EXPECT_NE(loss.find("(127.0.0.1): its process has ended"), std::string::npos) << loss;
  EXPECT_EQ(loss_after(4h), loss);
}

TEST_F(node_watch_test, sees_what_ended_before_the_first_look) {
  watch(other_->place());
  end_other();
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_NE(loss_after(2s), "");
}

TEST_F(node_watch_test, does_not_mind_one_that_it_never_reached) {
  const std::string place = other_->place();
  end_other();
  watch(place);
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_EQ(loss_after(1h), "");
}

TEST_F(node_watch_test, does_not_mind_one_that_cannot_be_watched) {
  watch("nowhere");
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_EQ(loss_after(1h), "");
}

TEST_F(node_watch_test, watches_nobody_if_nodes_may_be_silent_for_ever) {
  node_watch patient(3, "127.0.0.1", 0s);
  patient.watch(5, other_->place());
  end_other();
  for (const auto time : {0s, 1s, 3600s}) EXPECT_EQ(patient.loss(start_ + time), "");
}

}  // namespace
}  // namespace boxcar::detail::node_watch_test
