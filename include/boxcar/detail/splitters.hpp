// Splitters divide sorted values of all PEs into shares of nearly equal size, by rounds in which
// the PEs exchange samples and count the values before each sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/detail/type_identity.hpp>
#include <boxcar/key_hash.hpp>
#include <boxcar/serializer.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

// A splitter is a position in the order of all values. Equal values are in the order of their PEs,
// and on one PE in the order of their places: so equal values can be divided.
//
// The number of values before a splitter is known to lie between two counts. Each round samples the
// values between these counts, some tens of samples for each splitter that is not near enough to
// its target yet. Source: V. Harsh, L. Kale, E. Solomonik, Histogram Sort with Sampling, SPAA 2019,
// section 3.
template <typename T, typename Less>
class splitters {
 public:
  // Collective. Precondition: `mine`, the values of the PE, are sorted by `less`.
  splitters(world& w, const std::vector<T>& mine, const Less& less)
      : world_(w),
        mine_(mine),
        less_(less),
        total_(w.reduce(std::uint64_t{mine.size()})),
        pes_(static_cast<std::uint64_t>(w.size())),
        brackets_(pes_ - 1, bracket{{0, 0}, {total_, mine.size()}}) {
    for (std::uint64_t round = 0; has_open() && round != max_rounds; ++round) refine(round);
  }

  // Returns the end of the share of each PE among the values of this PE. The ends rise, even if
  // `less` is no order.
  [[nodiscard]] std::vector<std::size_t> ends() const {
    std::vector<std::size_t> ends;
    std::size_t end = 0;
    for (std::size_t i = 0; i != brackets_.size(); ++i) {
      const bracket& b = brackets_[i];
      const bool is_low = target(i) - b.low.before <= b.high.before - target(i);
      end = std::max(end, is_low ? b.low.place : b.high.place);
      ends.push_back(end);
    }
    ends.push_back(mine_.size());
    return ends;
  }

 private:
  // A few rounds suffice: 4 for 100,000 random numbers on each of 64 PEs. An order that is none may
  // need more than all rounds.
  static constexpr std::uint64_t max_rounds = 100;
  static constexpr std::uint64_t samples_per_splitter = 32;
  // A splitter is near enough at one part in so many parts of a share.
  static constexpr std::uint64_t precision = 50;

  struct position {
    std::uint64_t before;  // values of all PEs before the position
    std::size_t place;     // values of the PE before the position
  };
  struct bracket {
    position low;
    position high;
  };
  struct sample {
    T value;
    int pe;
    std::size_t place;
  };

  // Returns the best number of values before a splitter.
  [[nodiscard]] std::uint64_t target(std::size_t i) const {
    const std::uint64_t number = i + 1;
    return total_ / pes_ * number + total_ % pes_ * number / pes_;
  }
  [[nodiscard]] bool is_open(std::size_t i) const {
    const bracket& b = brackets_[i];
    return std::min(target(i) - b.low.before, b.high.before - target(i)) >
           total_ / pes_ / precision;
  }
  [[nodiscard]] bool has_open() const {
    for (std::size_t i = 0; i != brackets_.size(); ++i) {
      if (is_open(i)) return true;
    }
    return false;
  }

  // Collective.
  void refine(std::uint64_t round) {
    const std::vector<sample> samples = gather_samples(round);
    std::vector<std::size_t> places;
    std::vector<std::uint64_t> before;
    for (const sample& s : samples) {
      places.push_back(place_of(s));
      before.push_back(places.back());
    }
    before = world_.reduce(std::move(before));
    for (std::size_t i = 0; i != brackets_.size(); ++i) narrow(i, before, places);
  }
  void narrow(std::size_t i, const std::vector<std::uint64_t>& before,
              const std::vector<std::size_t>& places) {
    bracket& b = brackets_[i];
    const auto first_above = std::ranges::upper_bound(before, target(i)) - before.begin();
    const auto first_not_below = std::ranges::lower_bound(before, target(i)) - before.begin();
    const auto position_at = [&](std::ptrdiff_t at) {
      const auto k = static_cast<std::size_t>(at);
      // (The bounds hold by themselves, if `less` is an order.)
      return position{before[k], std::clamp(places[k], b.low.place, b.high.place)};
    };
    if (first_above != 0) {
      const position found = position_at(first_above - 1);
      if (found.before > b.low.before) b.low = found;
    }
    if (first_not_below != std::ssize(before)) {
      const position found = position_at(first_not_below);
      if (found.before < b.high.before) b.high = found;
    }
  }

  // Collective. Returns the samples of all PEs, in order.
  std::vector<sample> gather_samples(std::uint64_t round) {
    std::vector<std::byte> bytes;
    byte_writer out(bytes);
    for (const std::size_t place : places_to_sample(round)) {
      out.put(std::uint64_t{place});
      out.put(mine_[place]);
    }
    std::vector<sample> all;
    int pe = 0;
    for (const std::vector<std::byte>& of_pe : world_.all_gather(bytes)) {
      byte_reader in(of_pe, identity_of<T>.name);
      while (!in.at_end()) {
        const auto place = static_cast<std::size_t>(in.get<std::uint64_t>());
        all.push_back(sample{in.get<T>(), pe, place});
      }
      ++pe;
    }
    std::ranges::sort(all, [this](const sample& a, const sample& b) { return comes_before(a, b); });
    return all;
  }
  [[nodiscard]] bool comes_before(const sample& a, const sample& b) const {
    if (less_(a.value, b.value)) return true;
    if (less_(b.value, a.value)) return false;
    return a.pe != b.pe ? a.pe < b.pe : a.place < b.place;
  }
  // Returns the number of values of the PE that come before a sample.
  [[nodiscard]] std::size_t place_of(const sample& s) const {
    if (s.pe == world_.rank()) return s.place;
    const auto found = world_.rank() < s.pe
                           ? std::upper_bound(mine_.begin(), mine_.end(), s.value, less_)
                           : std::lower_bound(mine_.begin(), mine_.end(), s.value, less_);
    return static_cast<std::size_t>(found - mine_.begin());
  }

  // Returns the places of the samples of the PE. Each value between the counts of an open splitter
  // is a sample with the same probability.
  [[nodiscard]] std::vector<std::size_t> places_to_sample(std::uint64_t round) const {
    const std::vector<const bracket*> open = different_open_brackets();
    std::uint64_t values = 0;
    for (const bracket* const b : open) values += b->high.before - b->low.before;
    const double rate =
        static_cast<double>(samples_per_splitter * brackets_.size()) / static_cast<double>(values);
    std::vector<std::size_t> places;
    std::uint64_t number = round << 32 | static_cast<std::uint32_t>(world_.rank());
    for (const bracket* const b : open) {
      const std::size_t length = b->high.place - b->low.place;
      number = mix_bits(number + 1);
      const std::size_t count = rounded_at_random(length, std::min(rate, 1.0), number);
      for (std::size_t k = 0; k != count; ++k) {
        places.push_back(b->low.place + (2 * k + 1) * length / (2 * count));
      }
    }
    return places;
  }
  // Splitters without a sample between them have the same bracket, which is returned once.
  [[nodiscard]] std::vector<const bracket*> different_open_brackets() const {
    std::vector<const bracket*> open;
    for (std::size_t i = 0; i != brackets_.size(); ++i) {
      const bracket& b = brackets_[i];
      const bool is_new = open.empty() || open.back()->low.before != b.low.before;
      if (is_open(i) && is_new) open.push_back(&b);
    }
    return open;
  }
  // Returns length * rate, rounded up with the probability of the fraction. `random` has 64 bits.
  static std::size_t rounded_at_random(std::size_t length, double rate, std::uint64_t random) {
    const double fraction = static_cast<double>(random >> 11) * 0x1p-53;
    return std::min(length,
                    static_cast<std::size_t>(static_cast<double>(length) * rate + fraction));
  }

  world& world_;
  const std::vector<T>& mine_;
  const Less& less_;
  std::uint64_t total_;
  std::uint64_t pes_;
  std::vector<bracket> brackets_;  // of the splitters behind the shares of all PEs but the last
};

}  // namespace boxcar::detail
