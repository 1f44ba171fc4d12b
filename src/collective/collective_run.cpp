// The handle of a started collective, `collective_run`: test, wait, explain.
#include <utility>

#include <boxcar/collective_run.hpp>
#include <boxcar/detail/called_scope.hpp>
#include <boxcar/error.hpp>

#include "collective/collective_channel.hpp"

namespace boxcar {

collective_run::collective_run(collective_run&& other) noexcept = default;
collective_run& collective_run::operator=(collective_run&& other) noexcept {
  if (this == &other) return *this;
  abandon();
  pieces_ = std::move(other.pieces_);
  ended_ = other.ended_;
  return *this;
}
collective_run::~collective_run() {
  abandon();
}

void collective_run::abandon() noexcept {
  for (const piece& each : pieces_) each.channel->abandon(each.number);
}

void collective_run::require_pieces(const char* operation) const {
  if (!pieces_.empty()) return;
  throw contract_error(std::string(operation) +
                       ": the run has been moved from; use the handle it was moved to");
}

template <typename Action>
auto collective_run::with_piece(const Action& action) {
  const piece& next = pieces_[ended_];
  try {
    return action(*next.channel, next.number);
  } catch (...) {
    for (std::size_t later = ended_ + 1; later < pieces_.size(); ++later) {
      pieces_[later].channel->give_up(pieces_[later].number);
    }
    throw;
  }
}

bool collective_run::test() {
  require_pieces("test");
  const auto test_piece = [](auto& channel, std::uint64_t number) { return channel.test(number); };
  while (ended_ != pieces_.size() && with_piece(test_piece)) ++ended_;
  return ended_ == pieces_.size();
}
void collective_run::wait() {
  const detail::called_scope scope("wait for a collective");
  require_pieces("wait");
  const auto wait_for_piece = [](auto& channel, std::uint64_t number) { channel.wait(number); };
  for (; ended_ != pieces_.size(); ++ended_) with_piece(wait_for_piece);
}
const void* collective_run::owner() const {
  require_pieces("co_await");
  return pieces_.front().channel->owner();
}
std::string collective_run::explain() const {
  require_pieces("explain");
  return pieces_.front().channel->explain();
}

}  // namespace boxcar
