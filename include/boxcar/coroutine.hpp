// The header lets coroutines wait for collectives and schedules: `co_await
// world.broadcast_async(values)`. While a coroutine waits, other coroutines of the PE run.
// docs/collectives.md explains coroutines with examples.
//
// Any type of coroutine can wait: the coroutine is suspended, and resumed by the same thread, in
// `resume_coroutines`; until then the thread must stay the PE. `task` is a type for programs that
// have no type of their own, and `run_tasks` resumes tasks.
//
// The order in which several coroutines go on differs between PEs. Therefore only one coroutine at
// a time may start collectives by functions of the same world, as their order must be the same on
// all PEs: the other coroutines use collectives that were made before, or worlds of their own
// (`world::split`). A start while another coroutine waits for a run of the same world throws
// contract_error.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include <boxcar/collective.hpp>
#include <boxcar/collective_run.hpp>
#include <boxcar/schedule.hpp>
#include <boxcar/world.hpp>

namespace boxcar {

namespace detail {

// A suspended coroutine, registered with its thread until the coroutine is resumed or destroyed.
class suspension {
 public:
  suspension() = default;
  suspension(const suspension&) = delete;
  suspension& operator=(const suspension&) = delete;

  void await_suspend(std::coroutine_handle<> waiting);
  void await_resume() const {
    if (problem_ != nullptr) std::rethrow_exception(problem_);
  }

  // Returns whether the wait is over, also because the awaited operation failed.
  [[nodiscard]] bool is_over() noexcept;
  void resume() { std::exchange(waiting_, nullptr).resume(); }
  // Makes the coroutine one of the next to be resumed. Precondition: suspend_until_notified.
  void notify();
  // Returns the world to whose order of starts the awaited run belongs, or nullptr.
  [[nodiscard]] virtual const void* order() const { return nullptr; }

 protected:
  ~suspension();
  [[nodiscard]] virtual bool test() = 0;
  // As await_suspend, for operations that call `notify` when they are over: no time is spent on
  // tests meanwhile.
  void suspend_until_notified(std::coroutine_handle<> waiting);

 private:
  std::coroutine_handle<> waiting_;
  bool is_untested_ = false;  // and not notified yet
  std::exception_ptr problem_;
};

template <typename Operation>
class completion final : public suspension {
 public:
  explicit completion(Operation& what) : what_(&what) {}
  [[nodiscard]] bool await_ready() { return what_->test(); }
  [[nodiscard]] const void* order() const override {
    if constexpr (std::same_as<Operation, collective_run>) return what_->owner();
    return nullptr;
  }

 private:
  bool test() override { return what_->test(); }
  Operation* what_;
};

template <typename T>
concept awaitable =
    std::same_as<T, collective_run> || std::same_as<T, collective> || std::same_as<T, schedule>;

}  // namespace detail

// Resumes the coroutine when the run has ended on the PE. Throws what `test` throws.
template <detail::awaitable Operation>
[[nodiscard]] auto operator co_await(Operation& run) {
  return detail::completion<Operation>(run);
}
[[nodiscard]] inline auto operator co_await(collective_run&& run) {
  return detail::completion<collective_run>(run);
}

// Resumes the coroutines of the thread whose runs have ended, and returns how many coroutines are
// still suspended. Local, never blocks; for loops of programs with coroutines of another type.
std::size_t resume_coroutines();

// A coroutine without a result. A task begins when another coroutine waits for the task, or in
// `run_tasks`; exceptions of the task leave from there. Movable, and can be waited for once:
// waiting for a task that has ended, or was moved from, throws contract_error.
class [[nodiscard]] task {
 public:
  class promise_type {
   public:
    [[nodiscard]] task get_return_object() {
      return task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    [[nodiscard]] std::suspend_always initial_suspend() const noexcept { return {}; }
    [[nodiscard]] auto final_suspend() const noexcept { return last(); }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { problem_ = std::current_exception(); }

   private:
    friend task;
    // Resumes the coroutine that waits for the task.
    struct last {
      [[nodiscard]] bool await_ready() const noexcept { return false; }
      [[nodiscard]] std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> ended) const noexcept {
        return ended.promise().next_;
      }
      void await_resume() const noexcept {}
    };

    std::coroutine_handle<> next_ = std::noop_coroutine();
    std::exception_ptr problem_;
  };

  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~task() {
    if (coroutine_) coroutine_.destroy();
  }

  // Waits for the end of the task.
  [[nodiscard]] auto operator co_await() && {
    require_new();
    struct whole {
      std::coroutine_handle<promise_type> coroutine;

      [[nodiscard]] bool await_ready() const noexcept { return false; }
      [[nodiscard]] std::coroutine_handle<> await_suspend(
          std::coroutine_handle<> waiting) const noexcept {
        coroutine.promise().next_ = waiting;
        return coroutine;
      }
      void await_resume() const { rethrow(coroutine); }
    };
    return whole{coroutine_};
  }

 private:
  friend void run_tasks(world& w, std::vector<task> tasks);
  explicit task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}
  void require_new() const;
  static void rethrow(std::coroutine_handle<promise_type> ended) {
    if (ended.promise().problem_ != nullptr) std::rethrow_exception(ended.promise().problem_);
  }

  std::coroutine_handle<promise_type> coroutine_;
};

// Runs the tasks of the PE concurrently until all have ended; meanwhile the PE serves other PEs. If
// a task throws, the exception is rethrown, and the other tasks are destroyed. Throws world_error
// if the world has failed.
//
// All PEs of a world with started collectives leave the world together, and coroutines end in
// different orders on different PEs: worlds with started collectives that coroutines destroy
// meanwhile end only when all tasks have ended, in the order in which the worlds were made.
// (Without `run_tasks`, the program destroys such worlds in the same order on all PEs.)
void run_tasks(world& w, std::vector<task> tasks);
template <std::same_as<task>... Tasks>
void run_tasks(world& w, Tasks... tasks) {
  std::vector<task> all;
  (all.push_back(std::move(tasks)), ...);
  run_tasks(w, std::move(all));
}

}  // namespace boxcar
