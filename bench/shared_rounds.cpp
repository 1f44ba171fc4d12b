#include "shared_rounds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace boxcar::bench {
namespace {

// What one PE has sorted in one round.
struct sorted_items {
  std::vector<std::byte> items;
  std::vector<std::size_t> begins;  // of the items for each PE, and the end of the last
  std::vector<std::byte> replies;   // written by the PEs that the items are for
  std::vector<std::uint32_t> kept;  // where each item went

  [[nodiscard]] std::size_t count_for(std::size_t pe) const { return begins[pe + 1] - begins[pe]; }
};

class shared_rounds final : public baseline {
 public:
  shared_rounds(world& w, bench::job& work, partitioned_job& parts, std::uint64_t items_of_a_round)
      : world_(w),
        items_of_a_round_(items_of_a_round),
        one_way_(work.as_one_way()),
        two_way_(work.as_two_way()),
        parts_(parts),
        rounds_(w.reduce((work.items() + items_of_a_round - 1) / items_of_a_round,
                         [](auto a, auto b) { return std::max(a, b); })),
        places_(static_cast<std::size_t>(w.size())) {
    const auto pes = static_cast<std::size_t>(w.size());
    const std::uint64_t items = std::min(items_of_a_round, work.items());
    for (sorted_items& s : mine_) {
      s.items.resize(items * work.item_bytes());
      s.begins.resize(pes + 1);
      if (two_way_ == nullptr) continue;
      s.replies.resize(items * two_way_->reply_bytes());
      s.kept.resize(items);
    }
    // Threads see one another's memory; nobody destroys his before all have done.
    theirs_ = w.all_gather(mine_.data());
  }

  [[nodiscard]] std::string name() const override { return "shared_rounds"; }
  [[nodiscard]] bench::job& job() override { return parts_; }

  void run() override {
    for (std::uint64_t round = 0; round < rounds_; ++round) {
      const std::uint64_t first = std::min(round * items_of_a_round_, parts_.items());
      const std::uint64_t last = std::min(first + items_of_a_round_, parts_.items());
      // Two buffers, in turn: when a PE writes to one again, all have read it, since they have
      // written the other.
      const std::size_t turn = round % mine_.size();
      sort(first, last, mine_[turn]);
      world_.barrier();
      for (sorted_items* other : theirs_) deal_with(other[turn]);
      if (two_way_ == nullptr) continue;
      world_.barrier();
      two_way_->receive_all(first, last, mine_[turn].replies.data(), mine_[turn].kept);
    }
    world_.barrier();
  }

 private:
  void sort(std::uint64_t first, std::uint64_t last, sorted_items& into) {
    std::ranges::fill(places_, 0);
    parts_.count(first, last, places_);
    std::size_t begin = 0;
    for (std::size_t pe = 0; pe < places_.size(); ++pe) {
      into.begins[pe] = begin;
      begin += places_[pe];
      places_[pe] = into.begins[pe];
    }
    into.begins.back() = begin;
    parts_.scatter(first, last, into.items.data(), places_, into.kept);
  }

  void deal_with(sorted_items& of) {
    const auto me = static_cast<std::size_t>(world_.rank());
    const std::byte* items = of.items.data() + of.begins[me] * parts_.item_bytes();
    if (one_way_ != nullptr) {
      one_way_->apply_all(items, of.count_for(me));
    } else {
      two_way_->answer_all(items, of.count_for(me),
                           of.replies.data() + of.begins[me] * two_way_->reply_bytes());
    }
  }

  world& world_;
  std::uint64_t items_of_a_round_;
  one_way_job* one_way_;
  two_way_job* two_way_;
  partitioned_job& parts_;
  std::uint64_t rounds_;
  std::vector<std::size_t> places_;
  std::array<sorted_items, 2> mine_;
  std::vector<sorted_items*> theirs_;
};

}  // namespace

void make_shared_rounds(world& w, job& work, std::uint64_t items_of_a_round, baselines& all) {
  if (one_way_job* one = work.as_one_way()) {
    all.push_back(std::make_unique<shared_rounds>(w, work, *one, items_of_a_round));
  } else if (two_way_job* two = work.as_two_way()) {
    all.push_back(std::make_unique<shared_rounds>(w, work, *two, items_of_a_round));
  }
}

}  // namespace boxcar::bench
