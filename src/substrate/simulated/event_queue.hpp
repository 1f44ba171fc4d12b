// What is to happen on a simulated machine.
//
// By time, what happens at one place (a node, or the links between them) comes in the order of its
// moments. What happens at one place is felt at another one only after some time, the lookahead.
// So time goes by in windows of that length, and in each the places have their turn one after the
// other, each with all that happens there: what a node looks at stays in the cache meanwhile. (The
// lookahead of conservative parallel simulations, Chandy and Misra 1979.)
//
// The seed draws in which order places have their turn in a window, the links last, and who comes
// first of several PEs of a place at one moment; what travels comes before them, in the order in
// which it set out.
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

  friend bool operator<(const event& a, const event& b) {
    // (Without a jump: it would be mispredicted as often as not.)
    const bool is_before = a.at < b.at;
    const bool is_first_then = a.at == b.at && a.order < b.order;
    return is_before || is_first_then;
  }
};

class event_queue {
 public:
  // In any order: whoever takes an event says which.
  explicit event_queue(std::uint64_t seed) : seed_(seed) {}
  // By time. Without a lookahead it is all one place.
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
  // Something comes before what happens at that place and moment.
  [[nodiscard]] bool is_ahead(std::size_t place, moment at) const {
    if (size_ == 0) return false;
    const turn& first = turns_.front();
    if (first.place == of(place)) return places_[first.place].events.front().at < at;
    const moment window = window_of(at);
    return first.window != window ? first.window < window : first < turn_of(of(place), window);
  }
  // The next one, and those of which one comes behind it, unless others are added that are earlier.
  [[nodiscard]] std::span<const event> next_ones() const {
    if (size_ == 0) return {};
    return places_[turns_.front().place].events.next_ones();
  }

  // --- In any order -----------------------------------------------------------------------------
  // In the order in which they were added.
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
    moment its_turn = no_turn;  // the window of the first
    moment begins = 0;          // that window
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
  // What comes first then may be a turn that is over, as that place has had an earlier one.
  void end_turn(std::size_t place) {
    turns_.pop();
    place_events& there = places_[place];
    there.its_turn = no_turn;
    if (!there.events.empty()) begin_turn(place, window_of(there.events.front().at));
    while (!turns_.empty() && turns_.front().window != places_[turns_.front().place].its_turn) {
      turns_.pop();
    }
  }

  // 20 bits.
  [[nodiscard]] std::uint64_t draw(std::uint64_t number) const {
    std::uint64_t h = (seed_ + number) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32)) * 0xbf58476d1ce4e5b9u;
    return h >> 44;
  }

  std::uint64_t seed_;
  std::uint64_t added_ = 0;
  std::size_t size_ = 0;
  moment window_ = never;             // its length
  std::vector<place_events> places_;  // by time
  earliest_first<turn> turns_;
  std::vector<event> all_;  // in any order
};

}  // namespace boxcar::detail
