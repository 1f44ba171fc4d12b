// The meaning of a byte of a FASTA file's sequence lines.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace examples {

enum class dna_letter : std::uint8_t {
  a,  // bases, 0 to 3; 3 - x is the complement of x
  c,
  g,
  t,          // also the U of RNA
  ambiguous,  // the IUPAC letters for several bases
  blank,      // white space, without meaning
  header,     // '>', the beginning of the line before a sequence
  illegal,
};

namespace detail {

constexpr std::array<dna_letter, 256> make_letters() {
  std::array<dna_letter, 256> letters{};
  letters.fill(dna_letter::illegal);
  const auto set = [&](std::string_view bytes, dna_letter letter) {
    for (const char byte : bytes) letters[static_cast<unsigned char>(byte)] = letter;
  };
  set("Aa", dna_letter::a);
  set("Cc", dna_letter::c);
  set("Gg", dna_letter::g);
  set("TtUu", dna_letter::t);
  set("NRYSWKMBDHVnryswkmbdhv", dna_letter::ambiguous);
  set(" \t\r\n", dna_letter::blank);
  set(">", dna_letter::header);
  return letters;
}

inline constexpr std::array<dna_letter, 256> letters = make_letters();

}  // namespace detail

constexpr dna_letter dna_letter_of(char byte) {
  return detail::letters[static_cast<unsigned char>(byte)];
}

}  // namespace examples
