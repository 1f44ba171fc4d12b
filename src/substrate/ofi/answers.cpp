#include "substrate/ofi/answers.hpp"

#include "substrate/cluster/refusal.hpp"

namespace boxcar::detail::ofi {

answers::answers(endpoint& at)
    : at_(at),
      receives_(std::make_unique<std::array<operation, receives>>()),
      room_(std::make_unique<std::array<std::byte, receives * seal_bytes>>()),
      memory_(at, room_->data(), room_->size()) {
  const std::size_t booked = at_.book_receives(receives);
  for (std::size_t i = 0; i < booked; ++i) {
    operation& op = (*receives_)[i];
    op.owner = this;
    op.index = static_cast<std::uint32_t>(i);
    post(op);
  }
}

answers::~answers() {
  if (at_.cancel(*receives_)) return;
  static_cast<void>(receives_.release());
  static_cast<void>(room_.release());
  memory_.abandon();
}

void answers::received(operation& op, std::size_t /*bytes*/, std::uint64_t tag) {
  const auto found = listeners_.find(channel_in(tag));
  if (found != listeners_.end()) found->second->answered(rank_in(tag));
  post(op);
}

// A channel waits for the lost answer.
void answers::failed(operation& /*op*/, const std::string& reason) {
  problem_ = "receiving an answer by " + at_.provider() + " failed: " + reason;
}

void answers::post(operation& op) {
  const std::span<std::byte> room = std::span(*room_).subspan(op.index * seal_bytes, seal_bytes);
  if (!at_.receive(op, room, memory_, answer_bit, any_rank | any_channel)) has_idle_ = true;
}

void answers::poll() {
  if (!problem_.empty()) throw_refusal(problem_);
  if (!has_idle_) return;
  has_idle_ = false;
  for (operation& op : *receives_) {
    if (op.owner != nullptr && !op.under_way) post(op);
  }
}

}  // namespace boxcar::detail::ofi
