// A batch of asks: the results come to one receiver, with the numbers of the asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include <boxcar/detail/remote_arguments.hpp>
#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/detail/remote_session.hpp>

namespace boxcar::detail {

template <typename R, typename Receive>
class asked_batch final : public reply_batch<R> {
 public:
  asked_batch(asks_for<R>& asks, remote_session& session, Receive& receive)
      : asks_(asks), session_(session), receive_(receive) {
    asks_.set_batch(this);
  }
  asked_batch(const asked_batch&) = delete;
  asked_batch& operator=(const asked_batch&) = delete;
  ~asked_batch() {
    asks_.set_batch(nullptr);
    static_cast<void>(asks_.end_batch());
  }

  // Waits until all replies to the `asked` asks with the present tickets have come. The numbers of
  // later asks begin anew in tickets.
  [[gnu::noinline]] void wait_for_all(std::uint32_t asked) {
    in_tickets_ = asked;
    const auto is_over = [](const void* batch) {
      return static_cast<const asked_batch*>(batch)->is_complete();
    };
    if (!is_complete()) session_.wait_until(is_over, this);
    before_ += std::exchange(in_tickets_, 0);
  }
  // Throws the first exception of an ask.
  void throw_problem() {
    const std::exception_ptr problem = asks_.end_batch();
    if (problem != nullptr) std::rethrow_exception(problem);
  }

  std::size_t receive(const message_run& replies, std::size_t first) override {
    std::size_t taken = 0;
    if constexpr (plain<R>) {
      using message = argument_pack<std::uint32_t, R>;
      const auto* reply = reinterpret_cast<const message*>(replies.first) + first;
      const std::size_t before = before_;
      for (const std::size_t left = replies.count - first; taken != left; ++taken, ++reply) {
        const auto word = plain_value<std::uint32_t>(reply->bytes.data());
        if ((word & (ask_ticket::problem | ask_ticket::of_batch)) != ask_ticket::of_batch) break;
        receive_(before + (word & ask_ticket::number_mask),
                 plain_value<R>(reply->bytes.data() + sizeof word));
      }
    }
    received_ += taken;
    return first + taken;
  }
  void receive(std::uint32_t index, R&& result) override {
    receive_(before_ + index, std::move(result));
    ++received_;
  }

 private:
  [[nodiscard]] bool is_complete() const {
    return received_ + asks_.failed_in_batch() == before_ + in_tickets_;
  }

  asks_for<R>& asks_;
  remote_session& session_;
  Receive& receive_;
  std::size_t before_ = 0;        // asks of earlier tickets
  std::uint32_t in_tickets_ = 0;  // asks with the present tickets
  std::size_t received_ = 0;
};

}  // namespace boxcar::detail
