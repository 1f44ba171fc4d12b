#include "support/checked_conveyor.hpp"

#include <algorithm>
#include <numeric>

#include <boxcar/error.hpp>

#include "support/broken_contract.hpp"
#include "support/conveyor_setup.hpp"

namespace boxcar::test {
namespace {

std::vector<int> all_ranks(int pes) {
  std::vector<int> ranks(static_cast<std::size_t>(pes));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool same_counts(const statistics& a, const statistics& b) {
  return a.begins == b.begins && a.pushes == b.pushes && a.blocked == b.blocked &&
         a.pulls == b.pulls && a.unpulls == b.unpulls && a.advances == b.advances &&
         a.syncs == b.syncs && a.memory_bytes == b.memory_bytes;
}

}  // namespace

checked_conveyor::checked_conveyor(const world& w, const conveyor_setup& setup, ledger& book,
                                   std::vector<int> members)
    : conveyor_(make_conveyor(w, setup)),
      book_(book),
      members_(members.empty() ? all_ranks(w.size()) : std::move(members)),
      rank_(w.rank()),
      synchronises_(advance_synchronises(setup.options)),
      elastic_(setup.elastic),
      item_bytes_(setup.item_bytes) {
  check_state();
}

std::size_t checked_conveyor::size_of(const item_identity& id) const {
  return elastic_ ? varied_size(id, item_bytes_) : item_bytes_;
}

void checked_conveyor::record(std::string event) {
  history_[events_++ % history_.size()] = std::move(event);
}

void checked_conveyor::require(bool holds, const std::string& otherwise) const {
  if (holds) return;
  std::string text = otherwise + "; PE " + std::to_string(me()) + " did:";
  for (std::size_t i = 0; i < history_.size(); ++i) {
    const std::string& event = history_[(events_ + i) % history_.size()];
    if (!event.empty()) text += " " + event;
  }
  throw broken_contract(text);
}

void checked_conveyor::check_state() const {
  const conveyor_state actual = conveyor_->state();
  require(actual == state_, std::string("the conveyor should be ") + boxcar::name_of(state_) +
                                ", not " + boxcar::name_of(actual));
}

void checked_conveyor::check_held_item() const {
  if (held_.data == nullptr) return;
  require(holds_item(held_identity_, {held_.data, held_.bytes}),
          "an item that was pulled by pointer has changed before the next pull");
}

void checked_conveyor::check_statistics() const {
  const statistics s = conveyor_->session_statistics();
  const auto check = [this](const char* what, std::uint64_t actual, std::uint64_t expected) {
    require(actual == expected, "statistics count " + std::to_string(actual) + " " + what +
                                    ", not " + std::to_string(expected));
  };
  check("begins", s.begins, 1);
  check("pushes", s.pushes, counts_.pushes);
  check("blocked pushes", s.blocked, counts_.blocked);
  check("pulls", s.pulls, counts_.pulls);
  check("unpulls", s.unpulls, counts_.unpulls);
  check("advances", s.advances, counts_.advances);
}

void checked_conveyor::prepare() {
  record("begin");
  ++sessions_;
  pushed_to_.assign(members_.size(), 0);
  pulled_from_.assign(members_.size(), 0);
  counts_ = {};
  can_unpull_ = put_back_ = false;
  for (const int pe : members_) book_.sent(me(), pe) = 0;
  book_.advances(me()) = 0;
  book_.stage_of(me()) = stage::beginning;
}

void checked_conveyor::in_session(const std::function<void()>& body) {
  prepare();
  conveyor_->in_session([&] {
    begun();
    body();
    if (state_ == conveyor_state::complete) before_reset();
  });
  if (state_ == conveyor_state::complete) after_reset();
}

void checked_conveyor::reset() {
  const bool has_effect = state_ == conveyor_state::complete;
  if (has_effect) before_reset();
  conveyor_->reset();
  record("reset");
  if (has_effect) after_reset();
  check_state();
}

void checked_conveyor::begun() {
  state_ = conveyor_state::working;
  book_.stage_of(me()) = stage::working;
  check_state();
  book_.require_stages(members_, {stage::beginning, stage::working, stage::declared},
                       "while another PE has begun");
}

void checked_conveyor::before_reset() {
  check_held_item();
  held_ = {};
  book_.stage_of(me()) = stage::resetting;
}

void checked_conveyor::after_reset() {
  state_ = conveyor_state::dormant;
  check_state();
  check_statistics();
  book_.require_stages(members_, {stage::resetting, stage::dormant, stage::beginning},
                       "while another PE is dormant");
  book_.stage_of(me()) = stage::dormant;
}

bool checked_conveyor::push(int pe) {
  const item_identity id{stream(), me(), members_[index(pe)], pushed_to_[index(pe)]};
  item_.resize(size_of(id));
  write_item(id, item_);
  const bool pushed = conveyor_->push(item_, pe);
  record("push(" + std::to_string(pe) + (pushed ? ")" : ")-"));
  if (pushed) {
    ++counts_.pushes;
    book_.sent(me(), members_[index(pe)]) = ++pushed_to_[index(pe)];
  } else {
    ++counts_.blocked;
  }
  check_state();
  return pushed;
}

bool checked_conveyor::pull(pull_way way) {
  const bool by_pointer = way == pull_way::pointer || way == pull_way::pointer_with_source;
  const bool with_source =
      way == pull_way::copy_with_source || way == pull_way::pointer_with_source;
  check_held_item();
  held_ = {};
  int from = -1;
  const pulled_item item = conveyor_->pull(way, from);
  record(item.data != nullptr ? "pull" : "pull-");
  check_state();
  if (item.data == nullptr) {
    require(!put_back_, "an item that was put back cannot be pulled");
    can_unpull_ = false;
    return false;
  }
  require(state_ != conveyor_state::complete, "an item was pulled after the end");
  const int source = conveyor_->last_source();
  require(source >= 0 && source < size(),
          "an item comes from PE " + std::to_string(source) + ", which there is not");
  require(!with_source || from == source, "pull and last_source disagree on the source");
  require(!put_back_ || source == last_, "another item was pulled than the one put back");
  last_ = source;
  check_arrival(item);
  if (by_pointer) {
    require(reinterpret_cast<std::uintptr_t>(item.data) % conveyor_->alignment() == 0,
            "an item that was pulled by pointer is not aligned");
    held_ = item;
  }
  ++counts_.pulls;
  can_unpull_ = true;
  put_back_ = false;
  return true;
}

void checked_conveyor::check_arrival(const pulled_item& item) {
  std::uint64_t& number = pulled_from_[index(last_)];
  held_identity_ = {stream(), members_[index(last_)], me(), number};
  const bool is_expected =
      item.bytes == size_of(held_identity_) && holds_item(held_identity_, {item.data, item.bytes});
  require(is_expected, "what was pulled is not item " + std::to_string(number) + " from PE " +
                           std::to_string(last_));
  ++number;
}

bool checked_conveyor::unpull() {
  check_held_item();
  const bool expected = can_unpull_ && state_ != conveyor_state::complete;
  const bool unpulled = conveyor_->unpull();
  record(unpulled ? "unpull" : "unpull-");
  require(unpulled == expected, expected ? "unpull failed" : "unpull had nothing to put back");
  check_state();
  if (!unpulled) return false;
  held_ = {};
  --pulled_from_[index(last_)];
  ++counts_.unpulls;
  can_unpull_ = false;
  put_back_ = true;
  return true;
}

advance_result checked_conveyor::advance(bool done) {
  const operation op = done ? operation::advance_done : operation::advance;
  const conveyor_state before = state_;
  const bool under_way = before == conveyor_state::working || before == conveyor_state::endgame;
  if (under_way) ++book_.advances(me());
  if (done && before == conveyor_state::working) book_.stage_of(me()) = stage::declared;

  const advance_result result = conveyor_->advance(done);
  record(std::string(test::name_of(op)) + "=" + test::name_of(result));
  require(may_return(op, before, result),
          std::string("advance must not return this while ") + boxcar::name_of(before));
  state_ = state_after(op, before, result);
  if (before != conveyor_state::complete) ++counts_.advances;
  check_state();
  if (under_way && synchronises_) check_synchrony();
  if (under_way && result != advance_result::ok) check_ending();
  if (result == advance_result::done) {
    require(still_to_pull() == 0, "the conveyor is complete, but not everything was delivered");
    check_statistics();
  }
  return result;
}

void checked_conveyor::check_ending() {
  book_.stage_of(me()) = stage::over;
  book_.require_stages(members_, {stage::declared, stage::over, stage::resetting},
                       "while another PE is in cleanup or complete");
  if (!synchronises_) return;
  for (const int pe : members_) {
    require(book_.advances(pe) == book_.advances(me()),
            "the end is near for one PE and not for PE " + std::to_string(pe));
  }
}

void checked_conveyor::check_synchrony() {
  const std::uint64_t mine = book_.advances(me());
  for (const int pe : members_) {
    require(book_.advances(pe) >= mine, "advance has not waited for PE " + std::to_string(pe));
  }
}

std::uint64_t checked_conveyor::pulled() const {
  return std::accumulate(pulled_from_.begin(), pulled_from_.end(), std::uint64_t{0});
}

std::uint64_t checked_conveyor::still_to_pull() {
  std::uint64_t sent = 0;
  for (const int pe : members_) sent += book_.sent(pe, me());
  return sent - pulled();
}

void checked_conveyor::drain() {
  for (std::uint64_t left = still_to_pull(); left > 0; --left) {
    require(pull(), "the end is near, but " + std::to_string(left) + " items cannot be pulled");
  }
  require(!pull(), "more arrived than was pushed");
}

void checked_conveyor::call(operation op) {
  int nobody = -1;
  switch (op) {
    case operation::begin:
      return conveyor_->in_session([] {});
    case operation::push:
      item_.resize(item_bytes_);
      return static_cast<void>(conveyor_->push(item_, rank_));
    case operation::pull:
      return static_cast<void>(conveyor_->pull(pull_way::copy_with_source, nobody));
    case operation::pull_pointer:
      return static_cast<void>(conveyor_->pull(pull_way::pointer, nobody));
    case operation::unpull:
      return static_cast<void>(conveyor_->unpull());
    case operation::advance:
      return static_cast<void>(conveyor_->advance(false));
    case operation::advance_done:
      return static_cast<void>(conveyor_->advance(true));
    case operation::reset:
      return conveyor_->reset();
  }
}

void checked_conveyor::refuse(operation op) {
  record(std::string("illegal ") + test::name_of(op));
  const statistics before = conveyor_->session_statistics();
  std::string text;
  try {
    call(op);
  } catch (const contract_error& e) {
    text = e.what();
  }
  const std::string what =
      std::string(test::name_of(op)) + " while " + boxcar::name_of(state_) + " ";
  require(!text.empty(), what + "is not refused");
  require(text.find(test::name_of(op)) != std::string::npos, what + "is not named: " + text);
  require(text.find(boxcar::name_of(state_)) != std::string::npos,
          what + "leaves the state unsaid: " + text);
  require(same_counts(conveyor_->session_statistics(), before), what + "has changed something");
  check_state();
}

void checked_conveyor::refuse_all() {
  for (const operation op : illegal_operations(state_)) refuse(op);
}

}  // namespace boxcar::test
