// What is to happen on a simulated machine, in the order of time. Who comes first of several PEs
// at one moment is drawn by the seed; what travels comes before them, in the order in which it set
// out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

enum class event_kind : std::uint32_t {
  leave,    // a parcel gets to the adapter of its sender's node
  pass,     // to the next link of its path, or the end of that
  reach,    // to that of its receiver's
  deliver,  // into the memory there
  wake,     // a PE has something to look at
  expire,   // a PE has waited for long enough
  resume    // a PE goes on
};

struct event {
  moment at = 0;
  std::uint64_t order = 0;  // among those of the moment
  event_kind kind = event_kind::resume;
  std::uint32_t which = 0;  // parcel or PE
};

class event_queue {
 public:
  // Unless they are taken by time, whoever takes one says which.
  event_queue(std::uint64_t seed, bool by_time) : seed_(seed), by_time_(by_time) {}

  void add(moment at, event_kind kind, std::uint32_t which) {
    // At most 2^40 events: days.
    constexpr int number_bits = 40;
    const std::uint64_t number = ++added_;
    const std::uint64_t drawn = kind == event_kind::resume ? 1 + draw(number) : 0;
    events_.push_back({at, drawn << number_bits | number, kind, which});
    if (by_time_) std::push_heap(events_.begin(), events_.end(), is_later);
  }
  [[nodiscard]] bool empty() const { return events_.empty(); }
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] moment next() const { return events_.empty() ? never : events_.front().at; }
  event take() {
    std::pop_heap(events_.begin(), events_.end(), is_later);
    const event first = events_.back();
    events_.pop_back();
    return first;
  }

  // --- Unless by time ---------------------------------------------------------------------------
  // In the order in which they were added.
  [[nodiscard]] const std::vector<event>& all() const { return events_; }
  event take(std::size_t place) {
    const event taken = events_[place];
    events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(place));
    return taken;
  }

 private:
  static bool is_later(const event& a, const event& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }
  // 20 bits.
  [[nodiscard]] std::uint64_t draw(std::uint64_t number) const {
    std::uint64_t h = (seed_ + number) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9u;
    return h >> 44;
  }

  std::uint64_t seed_;
  bool by_time_;
  std::uint64_t added_ = 0;
  std::vector<event> events_;
};

}  // namespace boxcar::detail
