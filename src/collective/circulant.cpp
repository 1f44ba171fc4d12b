#include "collective/circulant.hpp"

#include <algorithm>
#include <bit>

namespace boxcar::detail {
namespace {

// Which pieces a PE gets in the rounds of a phase: the own pieces of PEs before it, one for each
// round, as in the paper (its receive schedules). From the root there is a way to each PE on which
// the distances become shorter; the last of them is that of the PE's own piece. PEs have a second
// way, once more around the circle, so that there are enough before each.
//
// Depth first, for one round after the other: the last PE that is as far before this one as the
// distance of the round, and before all that have been taken, and whose own piece is still free;
// but rather the one before it on its way, if that is too near for the next round.
class search {
 public:
  search(const std::vector<std::int64_t>& distances, int pe, int own_piece)
      : distances_(distances),
        pe_(distances.back() + pe),
        taken_before_(2 * distances.back()),
        free_(((std::uint64_t{2} << rounds()) - 1) & ~(std::uint64_t{1} << own_piece)) {
    go_on(0, rounds() + 1);
  }
  // By rounds. The piece of the root, one time around, is that of the distance around.
  [[nodiscard]] const std::vector<int>& found() const { return found_; }

 private:
  // Ways that go through `from`, whose next distances are before that one.
  void go_on(std::int64_t from, int before) {
    for (int k = free_before(before); k >= 0 && !is_over(); k = free_before(k)) {
      const std::int64_t here = from + distance(k);
      if (here > last_for(0) || here >= taken_before_) continue;
      go_on(here, k);
      // Too near for the next round: `from` is taken now, where the way came to it.
      if (is_over() || from > last_for(1)) return;
      found_.push_back(k);
      taken_before_ = here;
      free_ &= ~(std::uint64_t{1} << k);
    }
  }

  [[nodiscard]] int rounds() const { return static_cast<int>(distances_.size()) - 1; }
  [[nodiscard]] bool is_over() const { return std::ssize(found_) == rounds(); }
  [[nodiscard]] std::int64_t distance(int k) const {
    return distances_[static_cast<std::size_t>(k)];
  }
  // The last PE that is far enough away for the round at hand, or for one of the next.
  [[nodiscard]] std::int64_t last_for(std::size_t next) const {
    return pe_ - distances_[found_.size() + next];
  }
  // -1 if there is none.
  [[nodiscard]] int free_before(int k) const {
    return static_cast<int>(std::bit_width(free_ & ((std::uint64_t{1} << k) - 1))) - 1;
  }

  const std::vector<std::int64_t>& distances_;
  std::int64_t pe_;  // behind the root, once more around
  std::int64_t taken_before_;
  std::uint64_t free_;  // bits: pieces that have not been taken
  std::vector<int> found_;
};

}  // namespace

circulant::circulant(int pes) : distances_{pes} {
  while (distances_.back() > 1) distances_.push_back((distances_.back() + 1) / 2);
  std::ranges::reverse(distances_);
}

int circulant::own_piece(int pe) const {
  int k = phase();
  for (int left = pe; left > 0;) {
    --k;
    if (left >= distance(k)) left -= distance(k);
  }
  return k;
}

std::vector<int> circulant::received_by(int pe) const {
  const int own = own_piece(pe);
  std::vector<int> pieces = search(distances_, pe, own).found();
  // From the root comes what is new; those of other PEs are of the phase before.
  for (int& piece : pieces) piece = piece == phase() ? own : piece - phase();
  return pieces;
}

std::vector<int> circulant::sent_by(int pe) const {
  std::vector<int> pieces;
  for (int k = 0; k < phase(); ++k) {
    pieces.push_back(received_by(pe_behind(pe, k))[static_cast<std::size_t>(k)]);
  }
  return pieces;
}

int circulant::pe_behind(int pe, int k) const {
  return static_cast<int>((pe + distances_[static_cast<std::size_t>(k)]) % distances_.back());
}

std::vector<circulant::round> circulant::rounds(int pe, std::size_t pieces) const {
  if (pieces == 0 || phase() == 0) return {};
  const auto received = received_by(pe);
  const auto sent = sent_by(pe);
  const auto n = static_cast<std::int64_t>(pieces);
  // The first phase lacks its first rounds, so that the last one is whole. What is before the first
  // piece does not travel, and what is behind the last one is the last one.
  const std::int64_t lacking = (phase() - (n - 1) % phase()) % phase();
  std::vector<round> all;
  for (std::int64_t i = lacking; i < lacking + n - 1 + phase(); ++i) {
    const auto k = static_cast<int>(i % phase());
    const auto in_this_phase = [&](int piece) -> std::optional<std::size_t> {
      const std::int64_t which = piece + i - k - lacking;
      if (which < 0) return {};
      return static_cast<std::size_t>(std::min(which, n - 1));
    };
    round& r = all.emplace_back(round{.distance = distance(k)});
    if (pe_behind(pe, k) != 0) r.sent = in_this_phase(sent[static_cast<std::size_t>(k)]);
    if (pe != 0) r.received = in_this_phase(received[static_cast<std::size_t>(k)]);
  }
  return all;
}

}  // namespace boxcar::detail
