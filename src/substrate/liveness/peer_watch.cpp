#include "substrate/liveness/peer_watch.hpp"

#include "substrate/liveness/absence.hpp"

namespace boxcar::detail {
namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);

}  // namespace

const std::string& peer_watch::loss(clock::time_point now) {
  if (now < next_look_ || !loss_.empty()) return loss_;
  next_look_ = now + between_looks;
  if (!ended_at_) {
    const finding found = look();
    if (!found.why_unreachable.empty()) {
      loss_ =
          "PE " + std::to_string(own_rank_) + " has lost " + name() + ": " + found.why_unreachable;
    }
    if (!found.has_ended) return loss_;
    ended_at_ = now;
  }
  if (now - *ended_at_ >= patience_with_launcher && !has_left()) {
    loss_ = unheard_end_text(own_rank_, name());
  }
  return loss_;
}

}  // namespace boxcar::detail
