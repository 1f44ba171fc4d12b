// The asks of a PE for results of a remote function that have had no reply yet. A ticket travels
// with an ask and comes back with the reply: so the PE finds who waits for the reply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/coroutine.hpp>
#include <boxcar/detail/dispatch_stream.hpp>

namespace boxcar::detail {

// The word that identifies an ask: the number of the ask, and flags.
struct ask_ticket {
  static constexpr std::uint32_t problem = 1U << 31;     // a piece of the text of an exception
  static constexpr std::uint32_t last_piece = 1U << 30;  // of the text
  static constexpr std::uint32_t of_batch = 1U << 29;
  static constexpr std::uint32_t number_mask = of_batch - 1;
  static constexpr std::uint32_t nobody = number_mask;  // no result is wanted
};

// The origin of an ask, which travels with the ask: the calling PE, and the ticket in the upper
// half. (One word: compilers join two stores of halves badly.)
using ask_origin = std::uint64_t;
constexpr ask_origin origin_of(int caller, std::uint32_t ticket) {
  return ask_origin{ticket} << 32 | static_cast<std::uint32_t>(caller);
}
constexpr int caller_of(ask_origin origin) {
  return static_cast<int>(origin & 0xffffffff);
}
constexpr std::uint32_t ticket_of(ask_origin origin) {
  return static_cast<std::uint32_t>(origin >> 32);
}
inline constexpr ask_origin one_ticket = ask_origin{1} << 32;

// Throw the errors of misuse of remote functions.
[[noreturn]] void refuse_second_batch();
[[noreturn]] void refuse_lengths(std::size_t pes, std::initializer_list<std::size_t> arguments);

// The session in which replies come.
class reply_session {
 public:
  // Makes progress until `is_over(what)`. Not legal in a handler. Throws contract_error if the
  // session ends before.
  virtual void wait_until(bool (*is_over)(const void* what), const void* what) = 0;

 protected:
  ~reply_session() = default;
};

// The part that does not depend on the type of results.
class remote_asks {
 public:
  explicit remote_asks(std::string_view function) : function_(function) {}
  remote_asks(const remote_asks&) = delete;
  remote_asks& operator=(const remote_asks&) = delete;

  // Returns the ticket of a new ask.
  [[nodiscard]] std::uint32_t open();
  // Returns whether the ask has a result, or failed.
  [[nodiscard]] bool is_over(std::uint32_t ticket) const {
    return slots_[ticket].now == stage::over;
  }
  // Ends an ask that is over, and throws the exception of a failed ask.
  void close(std::uint32_t ticket);
  // Ends an ask whose result is not wanted any more.
  void drop(std::uint32_t ticket) noexcept;
  // Ends an ask that was not sent.
  void cancel(std::uint32_t ticket) noexcept { release(ticket); }
  // `waiting` is notified when the ask is over; nullptr: nobody is.
  void set_waiting(std::uint32_t ticket, suspension* waiting) { slots_[ticket].waiting = waiting; }

  // Fails all asks: no reply can come any more.
  void abandon() noexcept;

  // Takes a piece of the text of a remote exception. `word`: the ticket with its flags.
  void receive_problem(std::uint32_t word, std::string_view piece);
  // Returns the number of failed asks of the current batch.
  [[nodiscard]] std::uint64_t failed_in_batch() const { return failed_in_batch_; }
  // Ends the current batch. Returns the first exception of an ask, or nullptr.
  std::exception_ptr end_batch() noexcept;

 protected:
  ~remote_asks() = default;

  // Ends an ask by a reply. Returns whether the result is wanted.
  bool complete(std::uint32_t ticket, const std::exception_ptr& problem = nullptr);

 private:
  enum class stage : std::uint8_t { free, outstanding, unwanted, over };
  struct slot {
    stage now = stage::free;
    std::uint32_t next_free = 0;
    suspension* waiting = nullptr;
    std::exception_ptr problem;
  };

  void release(std::uint32_t ticket) noexcept;

  std::string function_;  // the name
  std::vector<slot> slots_;
  std::uint32_t first_free_ = ask_ticket::nobody;
  std::map<std::uint32_t, std::string> texts_;  // incomplete texts of exceptions, by ticket
  std::uint64_t failed_in_batch_ = 0;
  std::exception_ptr problem_of_batch_;  // the first
};

// The receiver of the results of a batch of asks.
template <typename R>
class reply_batch {
 public:
  // Takes the results among the replies from number `first` on that belong to the batch, and
  // returns the number of the next reply.
  virtual std::size_t receive(const message_run& replies, std::size_t first) = 0;
  virtual void receive(std::uint32_t index, R&& result) = 0;

 protected:
  ~reply_batch() = default;
};

// The asks for results of type R.
template <typename R>
class asks_for final : public remote_asks {
 public:
  using remote_asks::remote_asks;

  [[nodiscard]] std::uint32_t open() {
    const std::uint32_t ticket = remote_asks::open();
    if (ticket >= results_.size()) results_.resize(ticket + 1);
    return ticket;
  }
  [[nodiscard]] R take(std::uint32_t ticket) {
    std::optional<R> result = std::exchange(results_[ticket], std::nullopt);
    close(ticket);
    return std::move(*result);
  }
  void receive(std::uint32_t ticket, R&& result) {
    if ((ticket & ask_ticket::of_batch) != 0) {
      if (batch_ == nullptr) return;
      batch_->receive(ticket & ask_ticket::number_mask, std::move(result));
    } else if (complete(ticket)) {
      results_[ticket].emplace(std::move(result));
    }
  }

  // The batch gets the results of asks with tickets `of_batch`. nullptr: there is no batch, because
  // an exception has ended the last batch; its results are discarded.
  void set_batch(reply_batch<R>* batch) { batch_ = batch; }
  [[nodiscard]] reply_batch<R>* batch() const { return batch_; }

 private:
  std::vector<std::optional<R>> results_;
  reply_batch<R>* batch_ = nullptr;
};

}  // namespace boxcar::detail
