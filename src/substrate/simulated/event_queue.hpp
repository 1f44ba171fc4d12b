// What is to happen on a simulated machine, in the order of time. Who comes first of several PEs
// at one moment is drawn by the seed; what travels comes before them, in the order in which it set
// out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
    const event e{at, drawn << number_bits | number, kind, which};
    events_.push_back(e);
    if (by_time_) sift_up(e);
  }
  [[nodiscard]] bool empty() const { return events_.empty(); }
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] moment next() const { return events_.empty() ? never : events_.front().at; }
  event take() {
    const event first = events_.front();
    const event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sift_down(last);
    return first;
  }
  // The next one, and those of which one comes behind it, unless others are added that are earlier.
  [[nodiscard]] std::span<const event> next_ones() const {
    return {events_.data(), std::min(events_.size(), 1 + fan_out)};
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
  // A heap with few levels: what lies behind one another is in the cache together.
  static constexpr std::size_t fan_out = 4;

  static bool is_earlier(const event& a, const event& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  }
  // The last place is free, for this one.
  void sift_up(const event& e) {
    std::size_t place = events_.size() - 1;
    while (place != 0) {
      const std::size_t above = (place - 1) / fan_out;
      if (!is_earlier(e, events_[above])) break;
      events_[place] = events_[above];
      place = above;
    }
    events_[place] = e;
  }
  // So is the first.
  void sift_down(const event& e) {
    std::size_t place = 0;
    for (;;) {
      const std::size_t first = fan_out * place + 1;
      if (first >= events_.size()) break;
      const std::size_t end = std::min(first + fan_out, events_.size());
      std::size_t earliest = first;
      for (std::size_t below = first + 1; below < end; ++below) {
        if (is_earlier(events_[below], events_[earliest])) earliest = below;
      }
      if (!is_earlier(events_[earliest], e)) break;
      events_[place] = events_[earliest];
      place = earliest;
    }
    events_[place] = e;
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
