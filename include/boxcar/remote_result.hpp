// A remote result is the result of a remote function that a PE has asked for: a coroutine waits for
// the result by `co_await`, any other code by `wait`.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <coroutine>
#include <cstdint>
#include <memory>
#include <utility>

#include <boxcar/coroutine.hpp>
#include <boxcar/detail/remote_asks.hpp>

namespace boxcar {

namespace detail {

template <typename Fn, typename State, typename R, typename... A>
class remote_caller;

// The wait of a coroutine for a reply. The reply notifies the suspension.
class reply_suspension : public suspension {
 public:
  reply_suspension(remote_asks& asks, std::uint32_t ticket) : asks_(asks), ticket_(ticket) {}
  [[nodiscard]] bool await_ready() const { return asks_.is_over(ticket_); }
  void await_suspend(std::coroutine_handle<> waiting) {
    suspend_until_notified(waiting);
    asks_.set_waiting(ticket_, this);
  }

 protected:
  ~reply_suspension() = default;

 private:
  bool test() override { return asks_.is_over(ticket_); }

  remote_asks& asks_;
  std::uint32_t ticket_;
};

// Throws the error of a result that has been taken, or moved from.
[[noreturn]] void refuse_taken_result();

}  // namespace detail

template <typename T, typename Index, typename R, typename... A>
class collection_function;

// Movable; belongs to the thread of the PE. A result can be taken once. A result that is destroyed
// before the reply has come is discarded when the reply comes.
template <typename R>
class [[nodiscard]] remote_result {
 public:
  remote_result(remote_result&& other) noexcept
      : asks_(std::move(other.asks_)), session_(other.session_), ticket_(other.ticket_) {}
  remote_result& operator=(remote_result&& other) noexcept {
    std::swap(asks_, other.asks_);
    std::swap(session_, other.session_);
    std::swap(ticket_, other.ticket_);
    return *this;
  }
  ~remote_result() {
    if (asks_ != nullptr) asks_->drop(ticket_);
  }

  // Local. Returns whether the reply has come.
  [[nodiscard]] bool is_ready() const { return asks().is_over(ticket_); }

  // Waits for the reply, and returns the result; meanwhile the handlers of the PE's streams are
  // called. Not legal in a handler. Throws remote_error if the function threw, contract_error if
  // the session of the function has ended without the reply.
  [[nodiscard]] R wait() {
    const auto is_over = [](const void* result) {
      return static_cast<const remote_result*>(result)->is_ready();
    };
    if (!is_ready()) session_->wait_until(is_over, this);
    return take();
  }

  // Suspends the coroutine until the reply comes, and returns the result. Throws remote_error if
  // the function threw. The coroutine is resumed by `run_tasks` or `resume_coroutines`.
  [[nodiscard]] auto operator co_await() { return waiting(*this); }

 private:
  template <typename Fn, typename State, typename Result, typename... A>
  friend class detail::remote_caller;
  template <typename T, typename Index, typename Result, typename... A>
  friend class collection_function;

  class [[nodiscard]] waiting final : public detail::reply_suspension {
   public:
    explicit waiting(remote_result& result)
        : reply_suspension(result.asks(), result.ticket_), result_(result) {}
    ~waiting() {
      if (result_.asks_ != nullptr) result_.asks_->set_waiting(result_.ticket_, nullptr);
    }
    waiting(const waiting&) = delete;
    waiting& operator=(const waiting&) = delete;
    [[nodiscard]] R await_resume() { return result_.take(); }

   private:
    remote_result& result_;
  };

  remote_result(std::shared_ptr<detail::asks_for<R>> asks, detail::reply_session& session,
                std::uint32_t ticket)
      : asks_(std::move(asks)), session_(&session), ticket_(ticket) {}

  [[nodiscard]] detail::asks_for<R>& asks() const {
    if (asks_ == nullptr) detail::refuse_taken_result();
    return *asks_;
  }
  R take() {
    const std::shared_ptr<detail::asks_for<R>> asks = std::move(asks_);
    return asks->take(ticket_);
  }

  std::shared_ptr<detail::asks_for<R>> asks_;  // nullptr: taken, or moved from
  detail::reply_session* session_;
  std::uint32_t ticket_;
};

}  // namespace boxcar
