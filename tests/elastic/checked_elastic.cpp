#include "elastic/checked_elastic.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace boxcar::test {
namespace {

void write_sized_item(const item_identity& id, std::span<std::byte> bytes) {
  if (!bytes.empty()) write_item(id, bytes);
}

bool holds_sized_item(const item_identity& id, std::span<const std::byte> bytes) {
  return bytes.empty() || holds_item(id, bytes);
}

}  // namespace

checked_elastic::checked_elastic(world& w, std::size_t largest_item,
                                 const conveyor_options& options, ledger& book,
                                 std::vector<std::size_t> sizes)
    : conveyor_(w, largest_item, options),
      packets_(conveyor_, options),
      book_(book),
      witness_(book, w.rank(), w.size()),
      rank_(w.rank()),
      largest_item_(largest_item),
      sizes_(std::move(sizes)),
      pushed_to_(index(w.size())),
      pulled_from_(index(w.size())) {
  if (sizes_.empty()) sizes_ = everyday_sizes();
  witness_.expect_state(conveyor_.state());
}

std::vector<std::size_t> checked_elastic::everyday_sizes() const {
  const std::size_t fits = packets_.largest_small_item();
  std::vector<std::size_t> sizes{fits - 1, fits, fits + 1, fits + 4, 2 * fits + 3, 4099};
  for (int i = 0; i < 6; ++i) {
    for (const std::size_t bytes : {0U, 1U, 3U, 4U, 5U, 8U, 13U, 20U}) sizes.push_back(bytes);
  }
  std::erase_if(sizes, [this](std::size_t bytes) { return bytes > largest_item_; });
  return sizes;
}

item_identity checked_elastic::next_to(int pe) const {
  return {stream(), rank_, pe, pushed_to_[index(pe)]};
}

item_identity checked_elastic::next_from(int pe) const {
  return {stream(), pe, rank_, pulled_from_[index(pe)]};
}

std::size_t checked_elastic::size_of(const item_identity& id) const {
  const std::uint64_t which =
      scramble_all({id.stream, id.number, static_cast<std::uint64_t>(id.source),
                    static_cast<std::uint64_t>(id.destination), 77});
  return sizes_[which % sizes_.size()];
}

std::size_t checked_elastic::next_size(int pe) const {
  return size_of(next_to(pe));
}

std::uint64_t checked_elastic::pulled() const {
  return std::accumulate(pulled_from_.begin(), pulled_from_.end(), std::uint64_t{0});
}

void checked_elastic::check_held_item() const {
  if (!held_) return;
  witness_.require(holds_sized_item(held_identity_, *held_),
                   "an item has changed before the next pull");
}

void checked_elastic::in_session(const std::function<void()>& body) {
  ++sessions_;
  for (int pe = 0; pe < size(); ++pe) book_.sent(rank_, pe) = 0;
  std::fill(pushed_to_.begin(), pushed_to_.end(), 0);
  std::fill(pulled_from_.begin(), pulled_from_.end(), 0);
  packet_bytes_pushed_ = 0;
  counts_ = {};
  can_unpull_ = put_back_ = false;
  witness_.begins();
  {
    const session s = conveyor_.begin();
    witness_.has_begun(conveyor_.state());
    body();
    check_held_item();
    held_.reset();
    if (state() == conveyor_state::complete) witness_.resets();
  }
  if (state() == conveyor_state::complete) {
    witness_.has_reset(conveyor_.state());
    check_statistics();
  }
}

void checked_elastic::reset() {
  check_held_item();
  held_.reset();
  witness_.resets();
  conveyor_.reset();
  witness_.has_reset(conveyor_.state());
  check_statistics();
}

bool checked_elastic::push(int pe) {
  const item_identity id = next_to(pe);
  item_.resize(size_of(id));
  write_sized_item(id, item_);
  const bool pushed = conveyor_.push(item_, pe);
  witness_.expect_state(conveyor_.state());
  if (!pushed) {
    ++counts_.blocked;
    return false;
  }
  ++counts_.pushes;
  packet_bytes_pushed_ += packets_.packet(item_.size());
  book_.sent(rank_, pe) = ++pushed_to_[index(pe)];
  return true;
}

bool checked_elastic::pull(std::size_t alignment) {
  check_held_item();
  held_.reset();
  const std::optional<elastic_item> item = conveyor_.pull(alignment);
  witness_.expect_state(conveyor_.state());
  if (!item) {
    witness_.require(!put_back_, "an item that was put back cannot be pulled");
    can_unpull_ = false;
    return false;
  }
  witness_.require(state() != conveyor_state::complete, "an item was pulled after the end");
  check_arrival(*item);
  witness_.require(reinterpret_cast<std::uintptr_t>(item->bytes.data()) % alignment == 0,
                   "an item does not lie as was asked for");
  ++counts_.pulls;
  can_unpull_ = true;
  put_back_ = false;
  return true;
}

void checked_elastic::check_arrival(const elastic_item& item) {
  witness_.require(item.from >= 0 && item.from < size(),
                   "an item comes from PE " + std::to_string(item.from) + ", which there is not");
  witness_.require(!put_back_ || item.from == held_identity_.source,
                   "another item was pulled than the one put back");
  const item_identity id = next_from(item.from);
  const std::string which =
      "item " + std::to_string(id.number) + " from PE " + std::to_string(item.from);
  witness_.require(item.bytes.size() == size_of(id),
                   which + " has " + std::to_string(item.bytes.size()) + " bytes, not " +
                       std::to_string(size_of(id)));
  witness_.require(holds_sized_item(id, item.bytes), which + " is not what was pushed");
  ++pulled_from_[index(item.from)];
  held_ = item.bytes;
  held_identity_ = id;
}

bool checked_elastic::unpull() {
  check_held_item();
  const bool expected = can_unpull_ && state() != conveyor_state::complete;
  const bool unpulled = conveyor_.unpull();
  witness_.require(unpulled == expected,
                   expected ? "unpull failed" : "unpull had nothing to put back");
  witness_.expect_state(conveyor_.state());
  if (!unpulled) return false;
  held_.reset();
  --pulled_from_[index(held_identity_.source)];
  ++counts_.unpulls;
  can_unpull_ = false;
  put_back_ = true;
  return true;
}

advance_result checked_elastic::advance(bool done) {
  if (state() != conveyor_state::complete) ++counts_.advances;
  witness_.advances(done);
  const advance_result result = conveyor_.advance(done);
  witness_.has_advanced(done, result, conveyor_.state());
  check_held_item();
  if (result == advance_result::done) {
    check_everything_arrived();
    check_statistics();
  }
  return result;
}

void checked_elastic::check_everything_arrived() const {
  for (int pe = 0; pe < size(); ++pe) {
    witness_.require(pulled_from_[index(pe)] == book_.sent(pe, rank_),
                     "the conveyor is complete, but not everything was delivered");
  }
}

void checked_elastic::check_statistics() const {
  const statistics s = conveyor_.session_statistics();
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

void checked_elastic::push_surely(int pe) {
  while (!push(pe)) {
    pull_all();
    advance(false);
  }
}

void checked_elastic::pull_all() {
  while (pull()) {
  }
}

void checked_elastic::finish() {
  while (advance(true)) pull_all();
}

}  // namespace boxcar::test
