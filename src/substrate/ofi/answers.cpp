#include "substrate/ofi/answers.hpp"

#include "substrate/cluster/refusal.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr std::size_t answer_receives = 32;

}  // namespace

answers::answers(endpoint& at)
    : at_(at),
      receives_(at, *this, answer_receives, seal_bytes, {answer_bit, any_rank | any_channel}) {
  receives_.post();
}

void answers::received(operation& op, std::size_t /*bytes*/, std::uint64_t tag) {
  const auto found = listeners_.find(channel_in(tag));
  if (found != listeners_.end()) found->second->answered(rank_in(tag));
  receives_.post_again(op);
}

// A channel waits for the lost answer.
void answers::failed(operation& /*op*/, const std::string& reason) {
  problem_ = "receiving an answer by " + at_.provider() + " failed: " + reason;
}

void answers::poll() {
  if (!problem_.empty()) throw_refusal(problem_);
  receives_.post();
}

}  // namespace boxcar::detail::ofi
