#include "simulator/private_data.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::simulator {

std::size_t size_of(const std::vector<std::span<std::byte>>& parts) {
  std::size_t bytes = 0;
  for (const auto part : parts) bytes += part.size();
  return bytes;
}

private_data::private_data(std::vector<std::span<std::byte>> place, int pes)
    : place_(std::move(place)), bytes_(size_of(place_)), kept_(static_cast<std::size_t>(pes)) {
  save(first_);
}

void private_data::enter(int pe) {
  if (pe == here_) return;
  if (here_ >= 0) {
    save(kept_[static_cast<std::size_t>(here_)]);
  }
  const copy& its = kept_[static_cast<std::size_t>(pe)];
  load(its == nullptr ? first_ : its);
  here_ = pe;
}

void private_data::save(copy& as) const {
  if (as == nullptr) as = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  std::byte* into = as.get();
  for (const auto part : place_) into = std::ranges::copy(part, into).out;
}

void private_data::load(const copy& from) const {
  const std::byte* next = from.get();
  for (const auto part : place_) {
    std::copy_n(next, part.size(), part.begin());
    next += part.size();
  }
}

}  // namespace boxcar::simulator
