#include "support/checked_conveyor.hpp"

#include <numeric>
#include <string>

#include <boxcar/error.hpp>

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
      elastic_(setup.elastic),
      item_bytes_(setup.item_bytes),
      witness_(book, rank_, members_, advance_synchronises(setup.options)) {
  witness_.expect_state(conveyor_->state());
}

std::size_t checked_conveyor::size_of(const item_identity& id) const {
  return elastic_ ? varied_size(id, item_bytes_) : item_bytes_;
}

void checked_conveyor::let_go_of_held_item() {
  if (held_.data == nullptr) return;
  witness_.require(holds_item(held_identity_, {held_.data, held_.bytes}),
                   "an item that was pulled by pointer has changed before the next pull");
  held_ = {};
}

void checked_conveyor::check_statistics() const {
  const statistics s = conveyor_->session_statistics();
  const auto check = [this](const char* what, std::uint64_t actual, std::uint64_t expected) {
    witness_.require(actual == expected, "statistics count " + std::to_string(actual) + " " + what +
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
  ++sessions_;
  pushed_to_.assign(members_.size(), 0);
  pulled_from_.assign(members_.size(), 0);
  counts_ = {};
  can_unpull_ = put_back_ = false;
  for (const int pe : members_) book_.sent(me(), pe) = 0;
}

void checked_conveyor::in_session(const std::function<void()>& body) {
  prepare();
  witness_.begins();
  conveyor_->in_session([&] {
    witness_.has_begun(conveyor_->state());
    body();
    if (state() == conveyor_state::complete) before_reset();
  });
  if (state() == conveyor_state::complete) after_reset();
}

void checked_conveyor::reset() {
  const bool has_effect = state() == conveyor_state::complete;
  if (has_effect) before_reset();
  conveyor_->reset();
  if (has_effect) after_reset();
  witness_.expect_state(conveyor_->state());
}

void checked_conveyor::before_reset() {
  let_go_of_held_item();
  witness_.resets();
}

void checked_conveyor::after_reset() {
  witness_.has_reset(conveyor_->state());
  check_statistics();
}

bool checked_conveyor::push(int pe) {
  const item_identity id{stream(), me(), members_[index(pe)], pushed_to_[index(pe)]};
  item_.resize(size_of(id));
  write_item(id, item_);
  const bool pushed = conveyor_->push(item_, pe);
  witness_.saw("push(" + std::to_string(pe) + (pushed ? ")" : ")-"));
  if (pushed) {
    ++counts_.pushes;
    book_.sent(me(), members_[index(pe)]) = ++pushed_to_[index(pe)];
  } else {
    ++counts_.blocked;
  }
  witness_.expect_state(conveyor_->state());
  return pushed;
}

bool checked_conveyor::pull(pull_way way) {
  let_go_of_held_item();
  int from = -1;
  const pulled_item item = conveyor_->pull(way, from);
  witness_.saw(item.data != nullptr ? "pull" : "pull-");
  witness_.expect_state(conveyor_->state());
  if (item.data == nullptr) {
    witness_.require(!put_back_, "an item that was put back cannot be pulled");
    can_unpull_ = false;
    return false;
  }
  const int source = conveyor_->last_source();
  witness_.require(!tells_source(way) || from == source,
                   "pull and last_source disagree on the source");
  note_arrival(item, source);
  if (!is_copy(way)) {
    const auto address = reinterpret_cast<std::uintptr_t>(item.data);
    witness_.require(address % conveyor_->alignment() == 0,
                     "an item that was pulled by pointer is not aligned");
    held_ = item;
  }
  return true;
}

void checked_conveyor::pull_all(const std::function<void()>& and_then) {
  let_go_of_held_item();
  witness_.saw("pull_all");
  conveyor_->pull_all([&](const pulled_item& item, int from) {
    note_arrival(item, from);
    and_then();
  });
  witness_.expect_state(conveyor_->state());
  witness_.require(!put_back_, "an item that was put back is not among all that were pulled");
  can_unpull_ = false;
}

void checked_conveyor::note_arrival(const pulled_item& item, int from) {
  witness_.require(!put_back_ || from == last_,
                   "another item was pulled than the one that was put back");
  last_ = from;
  witness_.require(state() != conveyor_state::complete, "an item was pulled after the end");
  witness_.require(last_ >= 0 && last_ < size(),
                   "an item comes from PE " + std::to_string(last_) + ", which there is not");
  std::uint64_t& number = pulled_from_[index(last_)];
  held_identity_ = {stream(), members_[index(last_)], me(), number};
  const bool is_expected =
      item.bytes == size_of(held_identity_) && holds_item(held_identity_, {item.data, item.bytes});
  witness_.require(is_expected, "what was pulled is not item " + std::to_string(number) +
                                    " from PE " + std::to_string(last_));
  ++number;
  ++counts_.pulls;
  can_unpull_ = true;
  put_back_ = false;
}

bool checked_conveyor::unpull() {
  const bool expected = can_unpull_ && state() != conveyor_state::complete;
  if (expected) let_go_of_held_item();
  const bool unpulled = conveyor_->unpull();
  witness_.saw(unpulled ? "unpull" : "unpull-");
  witness_.expect_state(conveyor_->state());
  witness_.require(unpulled == expected,
                   expected ? "unpull failed" : "unpull had nothing to put back");
  if (!unpulled) return false;
  --pulled_from_[index(last_)];
  ++counts_.unpulls;
  can_unpull_ = false;
  put_back_ = true;
  return true;
}

advance_result checked_conveyor::advance(bool done) {
  if (state() != conveyor_state::complete) ++counts_.advances;
  witness_.advances(done);
  const advance_result result = conveyor_->advance(done);
  witness_.has_advanced(done, result, conveyor_->state());
  if (result == advance_result::done) {
    witness_.require(still_to_pull() == 0,
                     "the conveyor is complete, but not everything was delivered");
    check_statistics();
  }
  return result;
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
    witness_.require(pull(),
                     "the end is near, but " + std::to_string(left) + " items cannot be pulled");
  }
  witness_.require(!pull(), "more arrived than was pushed");
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
  const std::string name = test::name_of(op);
  const std::string what = name + " while " + boxcar::name_of(state()) + " ";
  witness_.saw("illegal " + name);
  const statistics before = conveyor_->session_statistics();
  std::string text;
  try {
    call(op);
  } catch (const contract_error& e) {
    text = e.what();
  }
  witness_.require(!text.empty(), what + "is not refused");
  witness_.require(text.find(name) != std::string::npos, what + "is not named: " + text);
  witness_.require(text.find(boxcar::name_of(state())) != std::string::npos,
                   what + "leaves the state unsaid: " + text);
  witness_.require(same_counts(conveyor_->session_statistics(), before),
                   what + "has changed something");
  witness_.expect_state(conveyor_->state());
}

void checked_conveyor::refuse_all() {
  for (const operation op : illegal_operations(state())) refuse(op);
}

}  // namespace boxcar::test
