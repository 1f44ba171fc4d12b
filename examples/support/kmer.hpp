// k-mers: words of k bases, 1 to 128, as numbers of two bits per base. A number has 1 to 4 words of
// 64 bits, the highest word first, so that the order of the numbers is that of the alphabet. A
// k-mer and its reverse complement are the same piece of DNA, read from either strand: the smaller
// number of the two, the canonical k-mer, stands for both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "support/fasta_reader.hpp"
#include "support/philox.h"
#include "support/random.hpp"

namespace examples {

constexpr int bases_of_word = 32;
constexpr int longest_kmer = 128;

// A k-mer is a plain number if it has one word, which is faster than an array of one.
template <std::size_t Words>
using kmer = std::conditional_t<Words == 1, std::uint64_t, std::array<std::uint64_t, Words>>;

// The number of words of a k-mer.
constexpr std::size_t words_of_kmer(int k) {
  return static_cast<std::size_t>((k - 1) / bases_of_word + 1);
}

// Calls `use` as a function template with the number of words of a k-mer. Precondition: k is 1 to
// longest_kmer.
template <typename Use>
decltype(auto) with_words_of_kmer(int k, const Use& use) {
  switch (words_of_kmer(k)) {
    case 1:
      return use.template operator()<1>();
    case 2:
      return use.template operator()<2>();
    case 3:
      return use.template operator()<3>();
    default:
      return use.template operator()<4>();
  }
}

// Returns whether the k-mer `a` precedes `b` in the alphabet.
inline bool is_before(std::uint64_t a, std::uint64_t b) {
  return a < b;
}
template <std::size_t Words>
bool is_before(const std::array<std::uint64_t, Words>& a,
               const std::array<std::uint64_t, Words>& b) {
  std::size_t i = 0;
  while (i + 1 < Words && a[i] == b[i]) ++i;
  return a[i] < b[i];
}

// Returns the highest word of a number.
template <typename Number>
auto& first_word(Number& number) {
  if constexpr (std::is_integral_v<Number>) {
    return number;
  } else {
    return number.front();
  }
}
// Returns the lowest word of a number.
template <typename Number>
auto& last_word(Number& number) {
  if constexpr (std::is_integral_v<Number>) {
    return number;
  } else {
    return number.back();
  }
}

// Shifts a number by some bits, and leaves zeros.
template <int Bits>
void shift_left(std::uint64_t& number) {
  number <<= Bits;
}
template <int Bits>
void shift_right(std::uint64_t& number) {
  number >>= Bits;
}
template <int Bits, std::size_t Words>
void shift_left(std::array<std::uint64_t, Words>& number) {
  for (std::size_t i = 0; i + 1 < Words; ++i) {
    number[i] = number[i] << Bits | number[i + 1] >> (64 - Bits);
  }
  number.back() <<= Bits;
}
template <int Bits, std::size_t Words>
void shift_right(std::array<std::uint64_t, Words>& number) {
  for (std::size_t i = Words - 1; i > 0; --i) {
    number[i] = number[i] >> Bits | number[i - 1] << (64 - Bits);
  }
  number.front() >>= Bits;
}

// The last k bases of a run, with a bit for each that belongs to a share.
template <std::size_t Words>
class kmer_window {
 public:
  // Precondition: Words is words_of_kmer(k).
  explicit kmer_window(int k)
      : mask_(~std::uint64_t{0} >> (2 * (bases_of_word - 1 - (k - 1) % bases_of_word))),
        top_(2 * ((k - 1) % bases_of_word)),
        first_(std::uint64_t{1} << ((k - 1) % 64)) {}

  void add(int base, bool in_share) {
    const auto bits = static_cast<std::uint64_t>(base);
    shift_left<2>(forward_);
    last_word(forward_) |= bits;
    first_word(forward_) &= mask_;
    shift_right<2>(reverse_);
    first_word(reverse_) |= (3 - bits) << top_;
    shift_left<1>(in_share_);
    last_word(in_share_) |= static_cast<std::uint64_t>(in_share);
  }
  // The run has ended.
  void clear() { in_share_ = {}; }

  // Returns whether there is a k-mer, and its first base belongs to the share.
  [[nodiscard]] bool begins_in_share() const { return (first_word(in_share_) & first_) != 0; }
  // Returns whether any base belongs to the share.
  [[nodiscard]] bool touches_share() const {
    std::uint64_t any = first_word(in_share_) & (2 * first_ - 1);
    if constexpr (has_two_words) any |= last_word(in_share_);
    return any != 0;
  }
  [[nodiscard]] kmer<Words> canonical() const {
    return is_before(reverse_, forward_) ? reverse_ : forward_;
  }

 private:
  static constexpr bool has_two_words = Words > 2;  // of bits per base

  std::uint64_t mask_;   // of the highest word
  int top_;              // the place of the first base in the highest word
  std::uint64_t first_;  // the first base in the highest word of in_share_
  kmer<Words> forward_{};
  kmer<Words> reverse_{};
  // A bit per base of the run, the latest lowest.
  kmer<has_two_words ? 2 : 1> in_share_{};
};

// Calls `visit` with each canonical k-mer that begins in the reader's share, in order.
// Precondition: Words is words_of_kmer(k).
template <std::size_t Words = 1, typename Visit>
void for_each_kmer(fasta_reader& reader, int k, Visit&& visit) {
  kmer_window<Words> window(k);
  while (!reader.beyond_share() || window.touches_share()) {
    const int letter = reader.next();
    if (letter == fasta_reader::end) return;
    if (letter == fasta_reader::gap) {
      window.clear();
    } else {
      window.add(letter, reader.in_share());
      if (window.begins_in_share()) visit(window.canonical());
    }
  }
}

// The hash of a k-mer.
inline std::uint64_t hash_of(std::uint64_t word) {
  return mix(word);
}
template <std::size_t Words>
std::uint64_t hash_of(const std::array<std::uint64_t, Words>& words) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : words) hash = mix(hash ^ word);
  return hash;
}

struct kmer_hash {
  template <typename Kmer>
  std::size_t operator()(const Kmer& word) const {
    return hash_of(word);
  }
};

// Equality of k-mers, without a call of memcmp, as that of std::array would be.
struct kmer_equal {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a == b; }
  template <std::size_t Words>
  bool operator()(const std::array<std::uint64_t, Words>& a,
                  const std::array<std::uint64_t, Words>& b) const {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < Words; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }
};

// The PE that counts a k-mer. The high bits of the hash decide; hash tables use the low bits.
inline int owner_of_hash(std::uint64_t hash, int pes) {
  return static_cast<int>(
      philox_below(static_cast<std::uint32_t>(pes), static_cast<std::uint32_t>(hash >> 32)));
}

}  // namespace examples
