// Coroutines that wait for collectives and schedules: `co_await world.broadcast_async(values)`.
// While one waits, others of the PE go on. docs/collectives.md explains them with examples.
//
// Any type of coroutine can wait: it is suspended, and resumed by the same thread, which must be
// the PE until then, in `resume_coroutines`. `task` is one for programs that have none of their
// own, and `run_tasks` resumes those.
//
// Which of several coroutines goes on first is different on each PE. So only one of them at a time
// starts collectives by functions of the same world, whose order must be the same on all PEs: the
// others have collectives that were made before, or worlds of their own (`world::split`). A start
// while another one waits for a run of that world throws contract_error.
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

// One suspended coroutine, known to its thread until it is resumed or destroyed.
class suspension {
 public:
  suspension() = default;
  suspension(const suspension&) = delete;
  suspension& operator=(const suspension&) = delete;

  void await_suspend(std::coroutine_handle<> waiting);
  void await_resume() const {
    if (problem_ != nullptr) std::rethrow_exception(problem_);
  }

  // Whether it has to wait no longer, also because what it waits for failed.
  [[nodiscard]] bool is_over() noexcept;
  void resume() { waiting_.resume(); }
  // Whose order of starts counts: those of a world, or nullptr.
  [[nodiscard]] virtual const void* order() const { return nullptr; }

 protected:
  ~suspension();
  [[nodiscard]] virtual bool test() = 0;

 private:
  std::coroutine_handle<> waiting_;
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

// Goes on when the run has ended on this PE. Throws what `test` throws.
template <detail::awaitable Operation>
[[nodiscard]] auto operator co_await(Operation& run) {
  return detail::completion<Operation>(run);
}
[[nodiscard]] inline auto operator co_await(collective_run&& run) {
  return detail::completion<collective_run>(run);
}

// Resumes those coroutines of this thread whose runs have ended, and returns how many are still
// suspended. Local, and waits for nothing; for loops of programs with coroutines of another type.
std::size_t resume_coroutines();

// A coroutine without a result. It begins when another one waits for it, or in `run_tasks`; what it
// throws comes out there. It can be moved, and be waited for once: to wait for one that has ended,
// or was moved from, throws contract_error.
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
    // Whoever waits for it goes on.
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

  // Waits for it.
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

// Runs these tasks of the PE side by side until all have ended; serves others meanwhile. If one
// throws, that is thrown and the others are destroyed. Throws world_error if the world has failed.
void run_tasks(world& w, std::vector<task> tasks);
template <std::same_as<task>... Tasks>
void run_tasks(world& w, Tasks... tasks) {
  std::vector<task> all;
  (all.push_back(std::move(tasks)), ...);
  run_tasks(w, std::move(all));
}

}  // namespace boxcar
