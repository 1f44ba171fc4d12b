// A channel carries the runs of started collectives of one kind, one run at a time. Each run has
// memory and a combining function of its own. Further runs wait in the queue of the channel. The
// constructor of a channel is local; ensure_made constructs the collective that the channel uses,
// and is collective.
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
  // Constructs the collective, with a function that calls the function of the current run.
  // Collective.
  using making =
      std::function<std::unique_ptr<collective_state>(const combining_function& function)>;

  // Local. `owner` identifies the world. ensure_made calls `make`.
  collective_channel(const void* owner, std::shared_ptr<substrate> world, making make);
  collective_channel(const collective_channel&) = delete;
  collective_channel& operator=(const collective_channel&) = delete;
  // Waits for the end of the current run, unless the stack is being unwound or the run never ends.
  // The world fails if an error occurs meanwhile, or if no call has reported an earlier error.
  ~collective_channel();

  // Begins the run at once if the channel is made and idle. Otherwise queues the run, with a copy
  // of its input, unless `is_in_place`: then the input is in the output until the run begins. The
  // caller then schedules a call of start_next. Never waits. Throws contract_error if the function
  // of an earlier run has thrown; but if the run `is_continued`, that is the channel has a run of
  // the same call already, the run is queued and given up, and the program gets the exception of
  // the function when it waits.
  run_number start(collective_start&& what, bool is_in_place, bool is_continued);
  [[nodiscard]] bool has_queued_runs() const { return !queued_.empty(); }
  // Constructs the collective unless it exists. Collective. All runs of the channel report an error
  // of the construction.
  void ensure_made();
  // Waits for the end of the current run, and begins the first queued run. The new run and all
  // later runs report an error that occurs.
  void start_next();

  [[nodiscard]] bool test(run_number run);
  void wait(run_number run);
  // The program has dropped the handle of the run: the output of the run is discarded. If the stack
  // is being unwound the function of the run is not called any more.
  void abandon(run_number run) noexcept;
  // A function has thrown in another piece of the call of the run, and the program has got the
  // exception: the run never ends, and neither do later runs. Earlier runs end as usual.
  void give_up(run_number run) noexcept;

  // Waits until the collective is made.
  [[nodiscard]] std::string explain();
  [[nodiscard]] const void* owner() const { return owner_; }
  // Returns whether the destructor would return at once. Never waits.
  [[nodiscard]] bool is_free();

 private:
  // The PE's progress thread may call the function too; the function is replaced between runs, or
  // under the lock of the engine.
  struct function_of_run {
    combining_function function;
    std::atomic<bool> has_thrown = false;  // then the run never ends

    void operator()(std::byte* into, const std::byte* left, const std::byte* right, std::size_t n);
  };
  struct alignas(64) line {
    std::byte bytes[64];
  };
  // The arguments of a queued run.
  struct queued_run {
    std::vector<std::byte> in;  // empty if the input is in `out`
    bool is_in_place;
    std::vector<std::byte> first;
    std::span<std::byte> out;
    combining_function function;
    bool is_abandoned = false;
    bool is_given_up = false;
  };

  // The output, which has the input if `is_in_place`, belongs to the program again.
  void discard_output(queued_run& queued) noexcept;
  void fail_without_memory(const char* of_what) noexcept;
  // Replaces a combining function whose captured objects may be destroyed.
  [[noreturn]] static void throw_gone(std::byte* into, const std::byte* left,
                                      const std::byte* right, std::size_t n);
  // Replaces the combining function of a run that is given up.
  [[noreturn]] static void throw_given_up(std::byte* into, const std::byte* left,
                                          const std::byte* right, std::size_t n);
  // No call of the current run on this PE reports an error any more.
  void note_given_up() noexcept;
  // Drops what the function of the current run has thrown so far.
  void drop_exception() noexcept;
  // Returns nullptr if the run has begun.
  [[nodiscard]] queued_run* find_queued(run_number run);
  [[nodiscard]] bool is_under_way(run_number run) const { return !is_over_ && run == run_; }
  [[nodiscard]] bool has_ended(run_number run) const {
    return run < run_ || (run == run_ && is_over_);
  }
  // Polls the current run. Returns whether no run is under way any more. Never waits.
  [[nodiscard]] bool poll_end();
  void idle() const;
  void begin(std::span<const std::byte> in, std::span<std::byte> out,
             std::span<const std::byte> first, combining_function function);
  void require_no_problem(const char* operation);
  static void report_progress();
  // Stores an exception of the action in problem_.
  void attempt(const std::function<void()>& action);
  [[nodiscard]] std::span<std::byte> discarded(std::size_t bytes);

  const void* owner_;
  std::shared_ptr<substrate> world_;
  making make_;
  std::shared_ptr<function_of_run> function_ = std::make_shared<function_of_run>();
  std::unique_ptr<collective_state> state_;  // nullptr: not made yet
  std::exception_ptr problem_;
  bool has_failed_run_ = false;    // a run could not begin because of the problem
  bool is_problem_known_ = false;  // the program has got the problem
  bool has_given_up_ = false;      // a run was given up
  run_number run_ = 0;             // the current run, or the last run
  bool is_over_ = true;
  std::size_t got_bytes_ = 0;      // output of the current run
  std::deque<queued_run> queued_;  // runs that wait for their turn
  std::vector<line> discarded_;
};

}  // namespace boxcar::detail
