// A collective that is started by one call after the other, each with memory and a function of its
// own: of what was started, one run at a time is under way here, and the others wait for their
// turn. It is there before it is made, which is collective.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
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
  // Collective. By a function that calls the one that it is given, which is that of the run.
  using making =
      std::function<std::unique_ptr<collective_state>(const combining_function& function)>;

  // Local. `owner` tells those of one world from others; `make` is called by `make_if_new`.
  collective_channel(const void* owner, std::shared_ptr<substrate> world, making make);
  collective_channel(const collective_channel&) = delete;
  collective_channel& operator=(const collective_channel&) = delete;
  // Waits for the end of the run that is under way, unless an error is, or the run never ends. What
  // goes wrong meanwhile, or went wrong where nobody has heard of it, is an error of the world.
  ~collective_channel();

  // Starts the next run, if it can be under way at once. Else it waits for its turn, with a copy of
  // what it gives; then the caller is to see to `take_turn`. Throws contract_error if a function of
  // an earlier run has thrown.
  run_number start(collective_start&& what);
  [[nodiscard]] bool waits_for_turn() const { return !waiting_.empty(); }
  // Collective, unless it is made. What is thrown comes out of all its runs.
  void make_if_new();
  // Waits for the end of the last run, and begins the next that waits. What is thrown comes out of
  // that and all later runs.
  void take_turn();

  [[nodiscard]] bool test(run_number run);
  void wait(run_number run);
  // Nobody wants what the PE gets in it. If an exception is under way, the function of the run is
  // not called any more.
  void abandon(run_number run) noexcept;

  // Waits until it is made.
  [[nodiscard]] std::string explain();
  [[nodiscard]] const void* owner() const { return owner_; }
  // To destroy it would not wait; waits for nothing.
  [[nodiscard]] bool is_free();

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
  // What a run was started with.
  struct waiting_run {
    std::vector<std::byte> in;
    std::vector<std::byte> first;
    std::span<std::byte> out;
    combining_function function;
    bool is_abandoned = false;
  };

  // Instead of a function of the program.
  [[noreturn]] static void throw_gone(std::byte* into, const std::byte* left,
                                      const std::byte* right, std::size_t n);
  [[nodiscard]] bool is_under_way(run_number run) const { return !is_over_ && run == run_; }
  [[nodiscard]] bool has_ended(run_number run) const {
    return run < run_ || (run == run_ && is_over_);
  }
  // The last run that was begun has ended; waits for nothing.
  [[nodiscard]] bool looks_over();
  void idle() const;
  void begin(std::span<const std::byte> in, std::span<std::byte> out,
             std::span<const std::byte> first, combining_function function);
  void require_no_problem();
  static void note_move();
  // Keeps what it throws.
  void attempt(const std::function<void()>& action);
  [[nodiscard]] std::span<std::byte> unwanted(std::size_t bytes);

  const void* owner_;
  std::shared_ptr<substrate> world_;
  making make_;
  std::shared_ptr<function_of_run> function_ = std::make_shared<function_of_run>();
  std::unique_ptr<collective_state> state_;  // nullptr: not made yet
  std::exception_ptr problem_;
  bool has_lost_run_ = false;      // by that
  bool is_problem_known_ = false;  // to the program
  run_number run_ = 0;             // that is under way, or was last
  bool is_over_ = true;
  std::size_t got_bytes_ = 0;        // in this run
  std::deque<waiting_run> waiting_;  // the runs behind it
  std::vector<line> unwanted_;
};

}  // namespace boxcar::detail
