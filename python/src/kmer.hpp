// k-mers: words of k bases, 1 to 128, as numbers of two bits for each base, the first base highest;
// so the order of the numbers is alphabetical. A number has 1 to 4 words of 64 bits, the highest
// word first. A k-mer and its reverse complement are the same piece of DNA, read from either
// strand: the smaller number of the two, the canonical k-mer, stands for both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dna_letter.hpp"

namespace boxcar::python {

inline constexpr int bases_of_word = 32;
inline constexpr int longest_kmer = 128;

// The number of a k-mer: a plain number if it has one word, which is faster than an array of one.
template <std::size_t Words>
using kmer_code = std::conditional_t<Words == 1, std::uint64_t, std::array<std::uint64_t, Words>>;

// Returns word `i` of a code, counted from the highest.
template <std::size_t Words>
constexpr std::uint64_t& word_of(kmer_code<Words>& kmer, [[maybe_unused]] std::size_t i) {
  if constexpr (Words == 1) {
    return kmer;
  } else {
    return kmer[i];
  }
}
template <std::size_t Words>
constexpr std::uint64_t word_of(const kmer_code<Words>& kmer, [[maybe_unused]] std::size_t i) {
  if constexpr (Words == 1) {
    return kmer;
  } else {
    return kmer[i];
  }
}

// The number of words of the code of a k-mer.
constexpr std::size_t words_of_kmer(int k) {
  return static_cast<std::size_t>((k - 1) / bases_of_word + 1);
}

// The number of bases in the highest word of the code, 1 to 32.
constexpr int bases_of_first_word(int k) {
  return (k - 1) % bases_of_word + 1;
}

// Calls `use` as a function template with the number of words of the code of a k-mer.
// Precondition: k is 1 to longest_kmer.
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

// Returns whether two k-mers are equal, without a call of memcmp, as that of std::array would be.
template <std::size_t Words>
bool is_same(kmer_code<Words> a, kmer_code<Words> b) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < Words; ++i) difference |= word_of<Words>(a, i) ^ word_of<Words>(b, i);
  return difference == 0;
}

// Returns whether the k-mer `a` precedes `b` in the alphabet.
template <std::size_t Words>
bool is_before(const kmer_code<Words>& a, const kmer_code<Words>& b) {
  if constexpr (Words > 1) {
    for (std::size_t i = 0; i + 1 < Words; ++i) {
      if (a[i] != b[i]) return a[i] < b[i];
    }
  }
  return word_of<Words>(a, Words - 1) < word_of<Words>(b, Words - 1);
}

// The last k bases of a run.
template <std::size_t Words>
class kmer_window {
 public:
  // Precondition: Words is words_of_kmer(k).
  explicit kmer_window(int k)
      : k_(k),
        mask_(~std::uint64_t(0) >> (2 * (bases_of_word - bases_of_first_word(k)))),
        top_(2 * (bases_of_first_word(k) - 1)) {}

  void add(dna_letter letter) {
    if (letter >= gap) {
      bases_ = 0;
      return;
    }
    if constexpr (Words > 1) {
      for (std::size_t i = 0; i + 1 < Words; ++i) {
        forward_[i] = forward_[i] << 2 | forward_[i + 1] >> 62;
      }
      for (std::size_t i = Words - 1; i > 0; --i) {
        reverse_[i] = reverse_[i] >> 2 | reverse_[i - 1] << 62;
      }
    }
    std::uint64_t& last = word_of<Words>(forward_, Words - 1);
    last = last << 2 | letter;
    word_of<Words>(forward_, 0) &= mask_;
    std::uint64_t& first = word_of<Words>(reverse_, 0);
    first = first >> 2 | static_cast<std::uint64_t>(3 - letter) << top_;
    ++bases_;
  }
  [[nodiscard]] bool has_kmer() const { return bases_ >= k_; }
  [[nodiscard]] kmer_code<Words> forward() const { return forward_; }
  [[nodiscard]] kmer_code<Words> canonical() const {
    return is_before<Words>(reverse_, forward_) ? reverse_ : forward_;
  }

 private:
  std::int64_t k_;
  std::uint64_t mask_;      // of the highest word
  int top_;                 // the place of the first base in the highest word
  std::int64_t bases_ = 0;  // since the last gap
  kmer_code<Words> forward_{};
  kmer_code<Words> reverse_{};
};

// Returns the canonical k-mer of a k-mer.
template <std::size_t Words>
kmer_code<Words> canonical_kmer(const kmer_code<Words>& kmer, int k) {
  kmer_window<Words> window(k);
  for (int place = static_cast<int>(Words) * bases_of_word - k;
       place < static_cast<int>(Words) * bases_of_word; ++place) {
    const std::uint64_t word =
        word_of<Words>(kmer, static_cast<std::size_t>(place / bases_of_word));
    const int shift = 2 * (bases_of_word - 1 - place % bases_of_word);
    window.add(static_cast<dna_letter>(word >> shift & 3));
  }
  return window.canonical();
}

}  // namespace boxcar::python
