#include "simulator/private_data.hpp"

#include <algorithm>
#include <cstring>
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
  const bool as_at_first = here_ < 0 || is_in_place(first_);
  if (here_ >= 0) {
    copy& its = kept_[static_cast<std::size_t>(here_)];
    if (as_at_first) {
      its = nullptr;
    } else {
      save(its);
    }
  }
  const copy& its = kept_[static_cast<std::size_t>(pe)];
  if (its != nullptr) {
    load(its);
  } else if (!as_at_first) {
    load(first_);
  }
  here_ = pe;
}

bool private_data::is_in_place(const copy& what) const {
  const std::byte* next = what.get();
  return std::ranges::all_of(place_, [&next](std::span<const std::byte> part) {
    const std::byte* const its = std::exchange(next, next + part.size());
    return std::memcmp(its, part.data(), part.size()) == 0;
  });
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
