// Tests that a PE notices the end of the process of another PE, if the PE has not left the world
// before.
#include "substrate/liveness/process_watch.hpp"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace boxcar::detail::process_watch_test {
namespace {

using namespace std::chrono_literals;

// A process that ends on request.
class other_process {
 public:
  other_process() : id_(fork()) {
    if (id_ != 0) return;
    alarm(60);
    for (;;) pause();
  }
  other_process(const other_process&) = delete;
  other_process& operator=(const other_process&) = delete;
  ~other_process() {
    end();
    forget();
  }
  [[nodiscard]] pid_t id() const { return id_; }
  // The parent has not been notified of the end yet.
  void end() const {
    if (!is_there_) return;
    kill(id_, SIGKILL);
    siginfo_t how{};
    waitid(P_PID, static_cast<id_t>(id_), &how, WEXITED | WNOWAIT);
  }
  void forget() {
    if (is_there_) waitpid(id_, nullptr, 0);
    is_there_ = false;
  }

 private:
  pid_t id_;
  bool is_there_ = true;
};

class process_watch_test : public testing::Test {
 protected:
  [[nodiscard]] process_watch::member other() const {
    return {.pe = 5, .process = other_.id(), .presence = presence_};
  }
  [[nodiscard]] std::string loss_after(std::chrono::milliseconds time) {
    return watch_.loss(start_ + time);
  }

  other_process other_;
  presence_word presence_{};
  const std::uint32_t world_ = presence_.attach();
  process_watch watch_{3, other()};
  process_watch::clock::time_point start_ = process_watch::clock::now();
};

TEST_F(process_watch_test, says_nothing_of_one_that_lives) {
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_EQ(loss_after(1h), "");
}

TEST_F(process_watch_test, gives_the_launcher_time) {
  EXPECT_EQ(loss_after(0s), "");
  other_.end();
  EXPECT_EQ(loss_after(3h), "");
  EXPECT_EQ(loss_after(3h + 1s), "");
  const std::string loss = loss_after(3h + 2s);
  EXPECT_EQ(loss.find("PE 3 has lost PE 5: its process has ended"), 0) << loss;
  EXPECT_EQ(loss_after(4h), loss);
}

TEST_F(process_watch_test, sees_what_is_no_process_any_more) {
  other_.end();
  other_.forget();
  process_watch late{3, other()};
  for (process_watch* watch : {&watch_, &late}) {
    EXPECT_EQ(watch->loss(start_), "");
    EXPECT_NE(watch->loss(start_ + 2s), "");
  }
}

TEST_F(process_watch_test, does_not_mind_one_that_has_left) {
  presence_.depart(world_);
  other_.end();
  EXPECT_EQ(loss_after(0s), "");
  EXPECT_EQ(loss_after(1h), "");
}

}  // namespace
}  // namespace boxcar::detail::process_watch_test
