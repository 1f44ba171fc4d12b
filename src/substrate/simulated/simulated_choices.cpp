// The next event of a simulated machine in a chosen order: the events that are possible, and which
// of them is chosen.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "substrate/simulated/simulated_machine.hpp"

namespace boxcar::detail {

event simulated_machine::choose() {
  // Waits may end at any time; but most often a PE that looks again sees nothing new.
  constexpr std::uint32_t choices_between_expiries = 8;
  const std::vector<event>& all = queue_.all();
  const auto vain = std::ranges::find_if(all, [this](const event& e) { return is_in_vain(e); });
  if (vain != all.end()) return queue_.take(static_cast<std::size_t>(vain - all.begin()));
  if (++choices_ == order_->longest) {
    fail(static_cast<int>(current_),
         "the PEs have not ended after " + std::to_string(choices_) +
             " events: they wait for something that never happens, or need "
             "more events (set explore_options::longest)");
  }
  places_.clear();
  alternatives_.clear();
  find_alternatives(false);
  if (places_.empty() || ++since_expiry_ == choices_between_expiries) {
    since_expiry_ = 0;
    find_alternatives(true);
  }
  const std::size_t chosen = places_.size() == 1 ? 0 : order_->by->choose(alternatives_);
  return queue_.take(places_[chosen]);
}

void simulated_machine::find_alternatives(bool expiries) {
  const std::vector<event>& all = queue_.all();
  for (std::size_t place = 0; place < all.size(); ++place) {
    if ((all[place].kind == event_kind::expire) != expiries || is_overtaking(place)) continue;
    places_.push_back(place);
    alternatives_.push_back(actor_of(all[place]));
  }
}

// Returns true if the event changes nothing.
bool simulated_machine::is_in_vain(const event& e) const {
  if (e.kind != event_kind::wake && e.kind != event_kind::expire) return false;
  const simulated_pe& pe = at(e.which);
  if (e.kind == event_kind::wake) return pe.is == state::over;
  return pe.next_expiry != e.at || pe.is != state::waiting || pe.deadline > e.at;
}

bool simulated_machine::is_overtaking(std::size_t place) const {
  const std::vector<event>& all = queue_.all();
  if (all[place].kind != event_kind::deliver) return false;
  const simulated_message& p = *messages_[all[place].which].itself;
  return std::any_of(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(place), [&](const event& e) {
        return e.kind == event_kind::deliver && messages_[e.which].itself->is_of_lane_of(p);
      });
}

// Returns the actor of an event: equal for events of one kind that concern the same PE, or the same
// pair of PEs.
std::uint64_t simulated_machine::actor_of(const event& e) const {
  const auto pes = static_cast<std::uint64_t>(layout_.pes());
  if (e.kind == event_kind::resume) return e.which;
  if (e.kind == event_kind::wake) return pes + e.which;
  if (e.kind == event_kind::expire) return 2 * pes + e.which;
  const simulated_message& p = *messages_[e.which].itself;
  const auto pair = static_cast<std::uint64_t>(p.from()) * pes + static_cast<std::uint64_t>(p.to());
  return 3 * pes + 2 * pair + (p.is_buffer() ? 1 : 0);
}

void simulated_machine::fail_if_chosen() {
  if (failing_ != current_ || looks_left_-- != 0) return;
  failing_.reset();
  throw chosen_failure("PE " + std::to_string(current_) + chosen_failure::words);
}

}  // namespace boxcar::detail
