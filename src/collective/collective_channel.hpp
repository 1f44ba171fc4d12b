// A collective that is started by one call after the other, each with memory and a function of its
// own: of what was started, one run at a time is under way here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
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

  // Collective.
  explicit collective_channel(const making& make);
  collective_channel(const collective_channel&) = delete;
  collective_channel& operator=(const collective_channel&) = delete;
  // Waits for the end of the run, unless an error is under way.
  ~collective_channel();

  // Waits for the end of the last run, and starts the next.
  run_number start(const collective_start& what);
  [[nodiscard]] bool test(run_number run);
  void wait(run_number run);
  // Nobody wants what the PE gets in it.
  void abandon(run_number run) noexcept;
  [[nodiscard]] std::string explain() const { return state_->explain(); }

 private:
  // Calls what may tell of the end of the run.
  void hear(const std::function<void()>& of_the_end);
  [[nodiscard]] bool is_under_way(run_number run) const { return !is_over_ && run == run_; }

  // Called while a run is under way, also by the PE's progress thread; replaced only in between.
  std::shared_ptr<combining_function> function_ = std::make_shared<combining_function>();
  std::unique_ptr<collective_state> state_;
  run_number run_ = 0;
  bool is_over_ = true;
  bool has_failed_ = false;
  std::size_t got_bytes_ = 0;  // in this run
  std::vector<std::byte> unwanted_;
};

}  // namespace boxcar::detail
