// The asks of a PE without replies: tickets, and the exceptions that come back.
#include <charconv>
#include <utility>

#include <boxcar/detail/remote_asks.hpp>
#include <boxcar/error.hpp>
#include <boxcar/remote_result.hpp>

namespace boxcar::detail {
namespace {

// Returns the error for a text "PE:what", as composed where the function threw.
std::exception_ptr error_of(const std::string& function, std::string_view text) {
  int pe = 0;
  const std::size_t colon = text.find(':');
  std::from_chars(text.data(), text.data() + colon, pe);
  return std::make_exception_ptr(remote_error(pe, function, std::string(text.substr(colon + 1))));
}

}  // namespace

std::uint32_t remote_asks::open() {
  if (first_free_ != ask_ticket::nobody) {
    const std::uint32_t ticket = first_free_;
    first_free_ = slots_[ticket].next_free;
    slots_[ticket].now = stage::outstanding;
    return ticket;
  }
  if (slots_.size() == ask_ticket::nobody) {
    throw contract_error("ask: " + std::to_string(slots_.size()) + " asks of " + function_ +
                         " have no reply yet: wait for some of them");
  }
  slots_.emplace_back().now = stage::outstanding;
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

void remote_asks::release(std::uint32_t ticket) noexcept {
  slots_[ticket] = {};
  slots_[ticket].next_free = std::exchange(first_free_, ticket);
}

void remote_asks::close(std::uint32_t ticket) {
  const std::exception_ptr problem = slots_[ticket].problem;
  release(ticket);
  if (problem != nullptr) std::rethrow_exception(problem);
}

void remote_asks::drop(std::uint32_t ticket) noexcept {
  slot& s = slots_[ticket];
  if (s.now == stage::over) return release(ticket);
  s.now = stage::unwanted;
  s.waiting = nullptr;
}

bool remote_asks::complete(std::uint32_t ticket, const std::exception_ptr& problem) {
  slot& s = slots_[ticket];
  if (s.now == stage::unwanted) {
    release(ticket);
    return false;
  }
  s.now = stage::over;
  s.problem = problem;
  if (s.waiting != nullptr) std::exchange(s.waiting, nullptr)->notify();
  return true;
}

void remote_asks::abandon() noexcept {
  const auto problem = std::make_exception_ptr(contract_error(
      "the result of " + function_ + " did not come: the function was destroyed before"));
  for (std::uint32_t ticket = 0; ticket != slots_.size(); ++ticket) {
    if (slots_[ticket].now == stage::outstanding) complete(ticket, problem);
  }
}

void remote_asks::receive_problem(std::uint32_t word, std::string_view piece) {
  const std::uint32_t ticket = word & (ask_ticket::of_batch | ask_ticket::number_mask);
  std::string& text = texts_[ticket];
  text += piece;
  if ((word & ask_ticket::last_piece) == 0) return;
  // The last piece is filled up with zeros.
  const std::string_view whole = std::string_view(text).substr(0, text.find_last_not_of('\0') + 1);
  const std::exception_ptr problem = error_of(function_, whole);
  texts_.erase(ticket);
  if ((ticket & ask_ticket::of_batch) == 0) {
    complete(ticket, problem);
    return;
  }
  ++failed_in_batch_;
  if (problem_of_batch_ == nullptr) problem_of_batch_ = problem;
}

std::exception_ptr remote_asks::end_batch() noexcept {
  failed_in_batch_ = 0;
  return std::exchange(problem_of_batch_, nullptr);
}

void refuse_second_batch() {
  throw contract_error("ask_all: a batch of the function is being asked: use one batch, or ask()");
}

void refuse_lengths(std::size_t pes, std::initializer_list<std::size_t> arguments) {
  std::string text =
      "ask_all with " + std::to_string(pes) + " PEs, but the arrays of arguments have";
  for (const std::size_t n : arguments) text.append(" ").append(std::to_string(n));
  throw argument_error(text + " elements: give one element for each PE");
}

void refuse_taken_result() {
  throw contract_error("the result of the remote function has been taken, or moved from");
}

}  // namespace boxcar::detail
