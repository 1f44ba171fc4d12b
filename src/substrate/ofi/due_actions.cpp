#include "substrate/ofi/due_actions.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail::ofi {

void due_actions::add(std::size_t counter, std::uint64_t times, action what) {
  if (lists_.size() <= counter) lists_.resize(counter + 1);
  std::vector<waiting>& all = lists_[counter].all;
  const auto at = std::ranges::upper_bound(all, times, {}, &waiting::times);
  all.insert(at, {times, std::move(what)});
}

bool due_actions::is_waited_for(std::size_t counter) const {
  return counter < lists_.size() && lists_[counter].done < lists_[counter].all.size();
}

void due_actions::begin(std::uint64_t run) {
  run_ = run;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_[i].done = 0;
    mark_moved(i);
  }
}

void due_actions::mark_moved(std::size_t counter) {
  if (!is_waited_for(counter) || std::exchange(lists_[counter].has_moved, true)) return;
  moved_.push_back(counter);
}

bool due_actions::is_due(std::size_t counter) const {
  if (!is_waited_for(counter)) return false;
  const list& of = lists_[counter];
  return value_(counter) >= run_ * of.all[of.done].times;
}

bool due_actions::perform() {
  bool active = false;
  for (; !moved_.empty(); moved_.pop_front()) {
    const std::size_t counter = moved_.front();
    list& of = lists_[counter];
    while (is_due(counter)) {
      if (!of.all[of.done++].what()) {
        // There is no room for further actions, either.
        --of.done;
        return active;
      }
      active = true;
    }
    of.has_moved = false;
  }
  return active;
}

bool due_actions::any_due() const {
  return std::ranges::any_of(moved_, [this](std::size_t counter) { return is_due(counter); });
}

void due_actions::clear() {
  lists_.clear();
  moved_.clear();
}

}  // namespace boxcar::detail::ofi
