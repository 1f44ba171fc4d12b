#include "kmer_text.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

#include "dna_letter.hpp"
#include "kmer.hpp"

namespace boxcar::python {
namespace {

// Writes the letters of one word of a code.
char* write_letters(std::uint64_t word, int bases, char* letter) {
  for (int place = bases - 1; place >= 0; --place) *letter++ = "ACGT"[(word >> (2 * place)) & 3];
  return letter;
}

}  // namespace

std::optional<std::uint64_t> encode_kmers(std::string_view text, int k,
                                          std::span<std::uint64_t> codes) {
  const std::size_t words = words_of_kmer(k);
  const char* letter = text.data();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int bases = i % words == 0 ? bases_of_first_word(k) : bases_of_word;
    codes[i] = 0;
    for (int place = 0; place < bases; ++place) {
      const dna_letter base = dna_letter_of(*letter++);
      if (base >= gap) return i / words;
      codes[i] = codes[i] << 2 | base;
    }
  }
  return std::nullopt;
}

void decode_kmers(std::span<const std::uint64_t> codes, int k, std::span<char> text) {
  const std::size_t words = words_of_kmer(k);
  char* letter = text.data();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    letter =
        write_letters(codes[i], i % words == 0 ? bases_of_first_word(k) : bases_of_word, letter);
  }
}

void make_kmers_canonical(int k, std::span<std::uint64_t> codes) {
  with_words_of_kmer(k, [&]<std::size_t Words>() {
    auto* kmers = reinterpret_cast<kmer_code<Words>*>(codes.data());
    for (std::size_t i = 0; i < codes.size() / Words; ++i) {
      kmers[i] = canonical_kmer<Words>(kmers[i], k);
    }
  });
}

std::string kmer_lines(std::span<const std::uint64_t> codes, std::span<const std::int64_t> counts,
                       int k, bool as_fasta) {
  const std::size_t words = words_of_kmer(k);
  const auto letters = static_cast<std::size_t>(k);
  std::array<char, std::numeric_limits<std::int64_t>::digits10 + 2> digits;
  std::string lines;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), counts[i]).ptr;
    const std::string_view count(digits.data(), end);
    if (as_fasta) lines.append(">").append(count).append("\n");
    lines.resize(lines.size() + letters);
    decode_kmers(codes.subspan(i * words, words), k, std::span(lines).last(letters));
    if (!as_fasta) lines.append(" ").append(count);
    lines += '\n';
  }
  return lines;
}

}  // namespace boxcar::python
