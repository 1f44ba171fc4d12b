#include "all_to_all_blocks.hpp"

#include <algorithm>

#include "support/random.hpp"

namespace boxcar::bench {

all_to_all_blocks::all_to_all_blocks(const world& w, const setting& s)
    : rank_(w.rank()),
      pes_(w.size()),
      exchanges_(s.items),
      arrived_(static_cast<std::size_t>(w.size())) {
  for (auto& block : sent_) {
    block.resize(s.item_bytes / sizeof(word));
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = content(rank_, i);
  }
}

void all_to_all_blocks::clear() {
  std::ranges::fill(arrived_, nullptr);
  number_ = sum_ = 0;
}

void all_to_all_blocks::check(world&, std::uint64_t sessions) const {
  check_numbers(sessions);
  for (int pe = 0; pe < pes_; ++pe) {
    if (pe != rank_) check_block(pe, pe);
  }
}

void all_to_all_blocks::check_alone(std::uint64_t sessions) const {
  check_numbers(sessions);
  for (int pe = 0; pe < pes_; ++pe) {
    if (pe != rank_) check_block(pe, rank_);
  }
}

all_to_all_blocks::word all_to_all_blocks::content(int pe, std::size_t i) {
  return examples::mix((static_cast<word>(pe) << 32) + i);
}

void all_to_all_blocks::check_numbers(std::uint64_t sessions) const {
  const word n = sessions * exchanges_;
  require(sum_ == others() * n * (n + 1), "a block that was taken is that of another exchange");
}

void all_to_all_blocks::check_block(int from, int content_of) const {
  const word* const block = arrived_[static_cast<std::size_t>(from)];
  require(block != nullptr, "nothing came from a PE");
  bool right = block[0] == number_ && block[words() - 1] == number_;
  for (std::size_t i = 1; i + 1 < words(); ++i) right &= block[i] == content(content_of, i);
  require(right, "a block is not what its PE has put");
}

}  // namespace boxcar::bench
