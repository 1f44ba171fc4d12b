#include "collective/circulant.hpp"

#include <algorithm>
#include <bit>

namespace boxcar::detail {
namespace {

// Finds the pieces that a PE receives in the rounds of a phase: own pieces of preceding PEs, a
// piece for each round, as in the paper (receive schedules). From the root there is a path to each
// PE along which the distances decrease; the last distance is the distance of the PE's own piece.
// Each PE has a second path, once more around the circle, so that enough PEs precede each PE.
//
// The search is depth first, round by round: the search takes the last PE that precedes `pe` by at
// least the distance of the round, precedes all PEs taken before, and has an own piece that is
// still free. If the predecessor on the path would be too near for the next round, the search takes
// the predecessor instead.
class search {
 public:
  search(const std::vector<std::int64_t>& distances, int pe, int own_piece)
      : distances_(distances),
        pe_(distances.back() + pe),
        taken_before_(2 * distances.back()),
        free_(((std::uint64_t{2} << rounds()) - 1) & ~(std::uint64_t{1} << own_piece)) {
    go_on(0, rounds() + 1);
  }
  // Returns the pieces by round. The root, once around the circle, has the piece of the full
  // distance.
  [[nodiscard]] const std::vector<int>& found() const { return found_; }

 private:
  // Follows paths through `from` whose next distances have indices below `before`.
  void go_on(std::int64_t from, int before) {
    for (int k = free_before(before); k >= 0 && !is_over(); k = free_before(k)) {
      const std::int64_t here = from + distance(k);
      if (here > last_for(0) || here >= taken_before_) continue;
      go_on(here, k);
      // `from` is too near for the next round: the caller takes `from` now.
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
  // Returns the last PE that is far enough away for the current round plus `next`.
  [[nodiscard]] std::int64_t last_for(std::size_t next) const {
    return pe_ - distances_[found_.size() + next];
  }
  // Returns -1 if no piece is free.
  [[nodiscard]] int free_before(int k) const {
    return static_cast<int>(std::bit_width(free_ & ((std::uint64_t{1} << k) - 1))) - 1;
  }

  const std::vector<std::int64_t>& distances_;
  std::int64_t pe_;  // distance from the root, plus once around the circle
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
  // Only the root sends new pieces; other PEs send pieces of the previous phase.
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
  // The first phase omits its first rounds, so that the last phase is complete. Pieces with a
  // negative number do not travel; numbers above the last piece stand for the last piece.
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
