#include "spread.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include <boxcar/error.hpp>

#include "hash.hpp"

namespace boxcar::python {
namespace {

constexpr int feistel_rounds = 4;

}  // namespace

scattering::scattering(std::uint64_t n)
    : n_(n),
      half_bits_(std::max(1, (static_cast<int>(std::bit_width(n == 0 ? 0 : n - 1)) + 1) / 2)),
      half_mask_((1ULL << half_bits_) - 1) {}

std::uint64_t scattering::round(std::uint64_t half, int key) const {
  return mix_bits(half + static_cast<std::uint64_t>(key + 1) * 0x9e3779b97f4a7c15) & half_mask_;
}

std::uint64_t scattering::of(std::uint64_t x) const {
  do {
    std::uint64_t left = x >> half_bits_;
    std::uint64_t right = x & half_mask_;
    for (int key = 0; key < feistel_rounds; ++key) {
      const std::uint64_t next = left ^ round(right, key);
      left = right;
      right = next;
    }
    x = left << half_bits_ | right;
  } while (x >= n_);
  return x;
}

std::uint64_t scattering::inverse(std::uint64_t y) const {
  do {
    std::uint64_t left = y >> half_bits_;
    std::uint64_t right = y & half_mask_;
    for (int key = feistel_rounds - 1; key >= 0; --key) {
      const std::uint64_t before = right ^ round(left, key);
      right = left;
      left = before;
    }
    y = left << half_bits_ | right;
  } while (y >= n_);
  return y;
}

spread::spread(kind k, std::span<const std::uint64_t> lengths)
    : kind_(k),
      pes_(lengths.size()),
      length_(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0))),
      longest_(std::ranges::max(lengths)),
      by_pes_(pes_),
      scattered_(length_) {
  if (k != kind::blocks) return;
  starts_.resize(pes_ + 1);
  std::inclusive_scan(lengths.begin(), lengths.end(), starts_.begin() + 1);
  const std::uint64_t block = std::max<std::uint64_t>(lengths.front(), 1);
  by_block_ = divider(block);
  for (std::uint64_t pe = 0; pe <= pes_; ++pe) {
    is_even_ = is_even_ && starts_[pe] == std::min(pe * block, length_);
  }
}

std::uint64_t spread::index_of(std::uint64_t pe, std::uint64_t slot) const {
  if (kind_ == kind::blocks) return starts_[pe] + slot;
  const std::uint64_t place = slot * pes_ + pe;
  return kind_ == kind::hash ? scattered_.inverse(place) : place;
}

spread::kind spread_kind_of(std::string_view name) {
  if (name == "blocks") return spread::kind::blocks;
  if (name == "cyclic") return spread::kind::cyclic;
  if (name == "hash") return spread::kind::hash;
  throw argument_error("spread is \"" + std::string(name) +
                       "\": give \"blocks\", \"cyclic\" or \"hash\"");
}

}  // namespace boxcar::python
