// The report of a PE that keeps all other PEs from running: the PE computes for long, or waits
// outside Boxcar.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <thread>

namespace boxcar::simulator {

class stall_alarm {
 public:
  // Watches the calling thread. After `allowed` without a `go_on`, prints once the PE and its
  // position; 0: never.
  explicit stall_alarm(std::chrono::nanoseconds allowed);
  stall_alarm(const stall_alarm&) = delete;
  stall_alarm& operator=(const stall_alarm&) = delete;
  ~stall_alarm();

  // Another PE runs.
  void go_on() {
    turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

 private:
  void watch(std::chrono::nanoseconds allowed);

  pthread_t watched_ = pthread_self();
  std::atomic<std::uint64_t> turns_ = 0;
  std::mutex guard_;
  std::condition_variable over_changed_;
  bool is_over_ = false;
  std::thread watcher_;
};

}  // namespace boxcar::simulator
