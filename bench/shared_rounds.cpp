#include "shared_rounds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shared_blocks.hpp"

namespace boxcar::bench {
namespace {

// The sorted items of one PE in one round, in memory shared by all PEs.
struct sorted_items {
  std::size_t* begins;  // of the items for each PE, and the end of the last
  std::byte* items;
  std::byte* replies;  // written by the destination PEs of the items

  [[nodiscard]] std::size_t count_for(std::size_t pe) const { return begins[pe + 1] - begins[pe]; }
};

// The offsets of these arrays in a block of memory, as the block may be at another address on each
// PE.
class layout {
 public:
  layout(std::size_t pes, std::size_t items, std::size_t item_bytes, std::size_t reply_bytes)
      : items_(whole_lines((pes + 1) * sizeof(std::size_t))),
        replies_(items_ + whole_lines(items * item_bytes)),
        bytes_(replies_ + whole_lines(items * reply_bytes)) {}

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] sorted_items in(std::byte* block) const {
    return {reinterpret_cast<std::size_t*>(block), block + items_, block + replies_};
  }

 private:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + line - 1) / line * line;
  }

  std::size_t items_;
  std::size_t replies_;
  std::size_t bytes_;
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
                         [](auto a, auto b) { return std::max(a, b); })) {}

  [[nodiscard]] std::string name() const override { return "shared_rounds"; }
  [[nodiscard]] bench::job& job() override { return parts_; }

  void prepare() override {
    if (!blocks_) take_memory();
  }

  void run() override {
    for (std::uint64_t round = 0; round < rounds_; ++round) {
      const std::uint64_t first = std::min(round * items_of_a_round_, parts_.items());
      const std::uint64_t last = std::min(first + items_of_a_round_, parts_.items());
      // Two buffers, in turn: when a PE writes to a buffer again, all PEs have read the buffer,
      // since they have written the other buffer.
      const buffers_of_turn& all = buffers_[round % buffers_.size()];
      const sorted_items& mine = all[static_cast<std::size_t>(world_.rank())];
      sort(first, last, mine);
      world_.barrier();
      for (const sorted_items& one : all) deal_with(one);
      if (two_way_ == nullptr) continue;
      world_.barrier();
      two_way_->receive_all(first, last, mine.replies, kept_);
    }
    world_.barrier();
  }

 private:
  using buffers_of_turn = std::vector<sorted_items>;  // one per PE

  // Collective.
  void take_memory() {
    const auto pes = static_cast<std::size_t>(world_.size());
    const std::uint64_t mine = std::min(items_of_a_round_, parts_.items());
    const auto layout_for = [&](std::uint64_t items) {
      return layout(pes, items, parts_.item_bytes(),
                    two_way_ == nullptr ? 0 : two_way_->reply_bytes());
    };
    const auto items = world_.all_gather(mine);
    blocks_.emplace(world_, buffers_.size() * layout_for(mine).bytes());
    if (blocks_->empty()) return;  // another PE has failed, and says why
    // Allocations may fail on one PE alone, so they come when no other PE waits any more.
    places_.resize(pes);
    if (two_way_ != nullptr) kept_.resize(mine);
    for (std::size_t turn = 0; turn < buffers_.size(); ++turn) {
      for (std::size_t pe = 0; pe < pes; ++pe) {
        const layout of_pe = layout_for(items[pe]);
        buffers_[turn].push_back(
            of_pe.in(blocks_->of(static_cast<int>(pe)) + turn * of_pe.bytes()));
      }
    }
  }

  void sort(std::uint64_t first, std::uint64_t last, const sorted_items& into) {
    std::ranges::fill(places_, 0);
    parts_.count(first, last, places_);
    std::size_t begin = 0;
    for (std::size_t pe = 0; pe < places_.size(); ++pe) {
      into.begins[pe] = begin;
      begin += places_[pe];
      places_[pe] = into.begins[pe];
    }
    into.begins[places_.size()] = begin;
    parts_.scatter(first, last, into.items, places_, kept_);
  }

  void deal_with(const sorted_items& of) {
    const auto me = static_cast<std::size_t>(world_.rank());
    const std::byte* items = of.items + of.begins[me] * parts_.item_bytes();
    if (one_way_ != nullptr) {
      one_way_->apply_all(items, of.count_for(me));
    } else {
      two_way_->answer_all(items, of.count_for(me),
                           of.replies + of.begins[me] * two_way_->reply_bytes());
    }
  }

  world& world_;
  std::uint64_t items_of_a_round_;
  one_way_job* one_way_;
  two_way_job* two_way_;
  partitioned_job& parts_;
  std::uint64_t rounds_;
  std::optional<shared_blocks> blocks_;
  std::array<buffers_of_turn, 2> buffers_;
  std::vector<std::size_t> places_;
  std::vector<std::uint32_t> kept_;  // the place of each item of the PE in the round
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
