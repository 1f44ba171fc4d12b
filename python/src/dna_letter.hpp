// The meaning of a byte of a sequence of DNA.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace boxcar::python {

// Bases are 0 to 3 for A, C, G and T, of either case; 3 - x is the complement of x. The U of RNA
// counts as T.
using dna_letter = std::uint8_t;
// A letter that is no base, such as N: no k-mer spans it.
inline constexpr dna_letter gap = 4;
// The following values stay within a parser. They are bits, so that one test of the or of all
// letters of a line shows whether any of them occurs.
inline constexpr dna_letter blank = 8;
inline constexpr dna_letter illegal = 16;

inline constexpr std::array<dna_letter, 256> dna_letters = [] {
  std::array<dna_letter, 256> letters{};
  letters.fill(illegal);
  const auto set = [&](std::string_view bytes, dna_letter letter) {
    for (const char byte : bytes) letters[static_cast<unsigned char>(byte)] = letter;
  };
  set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-.*", gap);
  set("Aa", 0);
  set("Cc", 1);
  set("Gg", 2);
  set("TtUu", 3);
  set(" \t\r", blank);
  return letters;
}();

constexpr dna_letter dna_letter_of(char byte) {
  return dna_letters[static_cast<unsigned char>(byte)];
}

}  // namespace boxcar::python
