// A collective that is started by one call after the other, each with memory and a function of its
// own: of what was started, one run at a time is under way here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boxcar/collective_run.hpp>

#include "collective/collective_state.hpp"

namespace boxcar::detail {

class collective_channel {
 public:
  using run_number = std::uint64_t;
  // By a function that calls the one that it is given, which is that of the run.
  using making =
      std::function<std::unique_ptr<collective_state>(const combining_function& function)>;

  // Collective. `owner` tells those of one world from others.
  collective_channel(const void* owner, std::shared_ptr<substrate> world, const making& make);
  collective_channel(const collective_channel&) = delete;
  collective_channel& operator=(const collective_channel&) = delete;
  // Waits for the end of the run, unless an error is under way, or the run never ends. What goes
  // wrong meanwhile is an error of the world.
  ~collective_channel();

  // Waits for the end of the last run, and starts the next. Throws contract_error if a function of
  // an earlier run has thrown.
  run_number start(collective_start&& what);
  [[nodiscard]] bool test(run_number run);
  void wait(run_number run);
  // Nobody wants what the PE gets in it. If an exception is under way, the function of the run is
  // not called any more.
  void abandon(run_number run) noexcept;

  [[nodiscard]] std::string explain() const { return state_->explain(); }
  [[nodiscard]] const void* owner() const { return owner_; }

 private:
  // Called while a run is under way, also by the PE's progress thread; replaced only in between.
  struct function_of_run {
    combining_function function;
    std::atomic<bool> has_thrown = false;  // so that the run never ends

    void operator()(std::byte* into, const std::byte* left, const std::byte* right, std::size_t n);
  };
  struct alignas(64) line {
    std::byte bytes[64];
  };

  // Instead of a function of the program.
  [[noreturn]] static void throw_gone(std::byte* into, const std::byte* left,
                                      const std::byte* right, std::size_t n);
  [[nodiscard]] bool is_under_way(run_number run) const { return !is_over_ && run == run_; }

  const void* owner_;
  std::shared_ptr<substrate> world_;
  std::shared_ptr<function_of_run> function_ = std::make_shared<function_of_run>();
  std::unique_ptr<collective_state> state_;
  run_number run_ = 0;
  bool is_over_ = true;
  std::size_t got_bytes_ = 0;  // in this run
  std::vector<line> unwanted_;
};

}  // namespace boxcar::detail
