#include "stream/termination_detector.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace boxcar::detail {
namespace {

using namespace std::chrono_literals;

constexpr int fan_out = 4;
constexpr auto first_pause = 2us;
constexpr auto longest_pause = 500us;

int parent_of(int pe) {
  return pe == 0 ? -1 : (pe - 1) / fan_out;
}

// Returns the parent, then the children: ascending.
std::vector<int> neighbours(const substrate& world) {
  std::vector<int> all;
  if (world.rank() != 0) all.push_back(parent_of(world.rank()));
  const int first = fan_out * world.rank() + 1;
  for (int child = first; child < std::min(first + fan_out, world.size()); ++child) {
    all.push_back(child);
  }
  return all;
}

link_plan plan_for(const substrate& world, std::size_t message_bytes) {
  link_plan plan;
  plan.outgoing = neighbours(world);
  plan.incoming = plan.outgoing;
  plan.buffer_bytes = message_bytes;
  plan.buffers_per_link = 2;
  return plan;
}

void add(termination_detector::report& into, const termination_detector::report& other) {
  into.buffers_sent += other.buffers_sent;
  into.buffers_received += other.buffers_received;
  into.producers_done += other.producers_done;
  into.finishing += other.finishing;
}

}  // namespace

termination_detector::termination_detector(substrate& world)
    : world_(world),
      parent_(parent_of(world.rank())),
      children_(neighbours(world).size() - (parent_ < 0 ? 0 : 1)),
      porter_(world, plan_for(world, sizeof(message)), true) {}

void termination_detector::start_session(std::int64_t producers) {
  porter_.start_session(0);
  producers_ = producers;
  found_ = result::unknown;
  num_reports_ = 0;
  sums_ = {};
  reported_ = has_previous_ = false;
  pause_ = next_wave_ = 0ns;
  messages_ = 0;
  children_left_ = 0;
  left_ = all_left_ = false;
  waiting_.clear();
}

void termination_detector::collect() {
  porter_.poll();
  send_what_waits();
  arrival a;
  while (porter_.borrow(a)) {
    message m;
    std::memcpy(&m, a.data, sizeof m);
    const bool from_parent = a.source == parent_;
    porter_.give_back(a);
    if (from_parent) {
      receive_from_parent(m);
    } else {
      receive_from_child(m);
    }
  }
}

void termination_detector::receive_from_child(const message& m) {
  if (m.leaving != 0) {
    ++children_left_;
  } else {
    add(sums_, m.sums);
    ++num_reports_;
  }
}

void termination_detector::receive_from_parent(const message& m) {
  if (m.leaving != 0) {
    all_left_ = true;
  } else {
    reported_ = false;
    found_ = m.found;
    total_ = m.sums;
  }
  notify_children(m);
}

bool termination_detector::leave() {
  collect();
  if (!left_ && children_left_ == children_) {
    left_ = true;
    const message m{{}, found_, 1};
    if (parent_ < 0) {
      all_left_ = true;
      notify_children(m);
    } else {
      send(0, m);
    }
  }
  // All messages must be sent before the PE leaves: later calls, which would make progress, may not
  // exist.
  return all_left_ && all_sent();
}

bool termination_detector::ready_to_report() {
  if (reported_ || num_reports_ != children_ || found_ != result::unknown) return false;
  return next_wave_ == 0ns || world_.now() >= next_wave_;
}

void termination_detector::submit(const report& mine) {
  add(sums_, mine);
  reported_ = true;
  if (parent_ < 0) {
    judge();
  } else {
    send(0, {sums_, result::unknown, 0});
  }
  num_reports_ = 0;
  sums_ = {};
}

void termination_detector::judge() {
  total_ = sums_;
  reported_ = false;
  const bool quiet = has_previous_ && previous_.buffers_received == total_.buffers_sent;
  if (total_.producers_done > producers_) {
    found_ = result::too_many_producers;
  } else if (quiet && previous_.producers_done == producers_) {
    found_ = result::over;
  } else if (quiet && previous_.finishing == world_.size() &&
             total_.producers_done == previous_.producers_done) {
    found_ = result::producers_missing;
  } else if (has_previous_) {
    pause_ = std::clamp<std::chrono::nanoseconds>(2 * pause_, first_pause, longest_pause);
    next_wave_ = world_.now() + pause_;
  }
  previous_ = total_;
  has_previous_ = true;
  notify_children({total_, found_, 0});
}

void termination_detector::notify_children(const message& m) {
  const std::size_t first = parent_ < 0 ? 0 : 1;
  for (std::size_t child = 0; child < children_; ++child) send(first + child, m);
}

// The peer read the last message on the link before it answered: the link has room, but the PE may
// not have noticed yet. The function does not wait, because progress functions call it.
void termination_detector::send(std::size_t link, const message& m) {
  ++messages_;
  waiting_.emplace_back(link, m);
  send_what_waits();
}

void termination_detector::send_what_waits() {
  while (!waiting_.empty()) {
    const auto& [link, m] = waiting_.front();
    if (!porter_.make_room(link)) return;
    lane& l = porter_.lanes()[link];
    std::memcpy(l.cursor, &m, sizeof m);
    l.cursor += sizeof m;
    porter_.send_now(link);
    waiting_.pop_front();
  }
}

}  // namespace boxcar::detail
