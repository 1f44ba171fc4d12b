// The events to come on a simulated machine.
//
// By time, the events at a place (a node, or the links between nodes) happen in the order of their
// moments. An event at a place affects another place only after some time, the lookahead. Time
// therefore passes in windows as long as the lookahead, and in each window the places take turns,
// each with all of its events: the memory of a node stays in the cache meanwhile. (The lookahead of
// conservative parallel simulations, Chandy and Misra 1979.)
//
// The seed draws the order of the places in a window, the links last, and the order of the PEs of a
// place at the same moment; messages come before PEs, in the order of sending.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "substrate/simulated/earliest_first.hpp"
#include "substrate/simulated/moment.hpp"

namespace boxcar::detail {

enum class event_kind : std::uint32_t {
  leave,    // a message gets to the adapter of its sender's node
  pass,     // the message gets to the next link of its path, or to the end of the path
  reach,    // the message gets to the adapter of its receiver's node
  deliver,  // the message gets into the memory of the node
  wake,     // a PE has something to look at
  expire,   // a PE has waited for long enough
  resume    // a PE goes on
};

struct event {
  moment at = 0;
  std::uint64_t order = 0;  // among the events of the moment
  event_kind kind = event_kind::resume;
  std::uint32_t which = 0;  // message or PE

  friend bool operator<(const event& a, const event& b) {
    // (Without a branch, which would be mispredicted as often as not.)
    const bool is_before = a.at < b.at;
    const bool is_first_then = a.at == b.at && a.order < b.order;
    return is_before || is_first_then;
  }
};

class event_queue {
 public:
  // A queue in any order: the caller of `take` says which event.
  explicit event_queue(std::uint64_t seed) : seed_(seed) {}
  // A queue by time. Without a lookahead there is only one place.
  event_queue(std::uint64_t seed, std::size_t places, moment lookahead)
      : seed_(seed), places_(lookahead > 0 ? places : 1) {
    if (places_.size() > 1) window_ = lookahead;
  }

  void add(std::size_t place, moment at, event_kind kind, std::uint32_t which) {
    // At most 2^40 events: days.
    constexpr int number_bits = 40;
    const std::uint64_t number = ++added_;
    const std::uint64_t drawn = kind == event_kind::resume ? 1 + draw(number) : 0;
    const event e{at, drawn << number_bits | number, kind, which};
    ++size_;
    if (places_.empty()) return all_.push_back(e);
    place_events& there = places_[of(place)];
    there.events.push(e);
    if (there.its_turn == no_turn || at < there.begins) begin_turn(of(place), window_of(at));
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // --- By time ----------------------------------------------------------------------------------
  event take() {
    const std::size_t place = turns_.front().place;
    earliest_first<event>& events = places_[place].events;
    const event first = events.pop();
    --size_;
    if (events.empty() || events.front().at >= places_[place].ends) end_turn(place);
    return first;
  }
  // Returns true if an event comes before the events of `place` at the moment `at`.
  [[nodiscard]] bool is_ahead(std::size_t place, moment at) const {
    if (size_ == 0) return false;
    const turn& first = turns_.front();
    if (first.place == of(place)) return places_[first.place].events.front().at < at;
    const moment window = window_of(at);
    return first.window != window ? first.window < window : first < turn_of(of(place), window);
  }
  // Returns the next event, and the events that can be the second, unless earlier events are added.
  [[nodiscard]] std::span<const event> next_ones() const {
    if (size_ == 0) return {};
    return places_[turns_.front().place].events.next_ones();
  }

  // --- In any order -----------------------------------------------------------------------------
  // Returns the events in the order in which they were added.
  [[nodiscard]] const std::vector<event>& all() const { return all_; }
  event take(std::size_t which) {
    const event taken = all_[which];
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(which));
    --size_;
    return taken;
  }

 private:
  static constexpr moment no_turn = never;

  struct turn {
    moment window = 0;
    std::uint64_t drawn = 0;
    std::size_t place = 0;
    friend auto operator<=>(const turn&, const turn&) = default;
  };
  struct place_events {
    earliest_first<event> events;
    moment its_turn = no_turn;  // the window of the first event
    moment begins = 0;          // the start of the window
    moment ends = 0;
  };

  [[nodiscard]] moment window_of(moment at) const { return at / window_; }
  [[nodiscard]] std::size_t of(std::size_t place) const { return places_.size() == 1 ? 0 : place; }

  [[nodiscard]] turn turn_of(std::size_t place, moment window) const {
    const bool is_last = place + 1 == places_.size();
    const std::uint64_t number = static_cast<std::uint64_t>(window) * places_.size() + place;
    return {window, is_last ? ~std::uint64_t{0} : draw(number), place};
  }
  void begin_turn(std::size_t place, moment window) {
    place_events& there = places_[place];
    there.its_turn = window;
    there.begins = window * window_;
    there.ends = there.begins < never - window_ ? there.begins + window_ : never;
    turns_.push(turn_of(place, window));
  }
  // Turns at the front may be over, as their places have had an earlier turn.
  void end_turn(std::size_t place) {
    turns_.pop();
    place_events& there = places_[place];
    there.its_turn = no_turn;
    if (!there.events.empty()) begin_turn(place, window_of(there.events.front().at));
    while (!turns_.empty() && turns_.front().window != places_[turns_.front().place].its_turn) {
      turns_.pop();
    }
  }

  // Returns 20 random bits.
  [[nodiscard]] std::uint64_t draw(std::uint64_t number) const {
    std::uint64_t h = (seed_ + number) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9u;
    return h >> 44;
  }

  std::uint64_t seed_;
  std::uint64_t added_ = 0;
  std::size_t size_ = 0;
  moment window_ = never;             // the length of a window
  std::vector<place_events> places_;  // by time
  earliest_first<turn> turns_;
  std::vector<event> all_;  // in any order
};

}  // namespace boxcar::detail
