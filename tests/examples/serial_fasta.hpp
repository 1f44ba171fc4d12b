// A serial reader of FASTA texts, in the most obvious code: for comparison with the parallel
// reader, without common code.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace examples::test {

struct serial_fasta {
  std::uint64_t sequences = 0;
  std::uint64_t bases = 0;
  std::uint64_t ambiguous_letters = 0;
  std::vector<std::string> runs;  // of bases, in upper case, in order, with T for U
};

serial_fasta read_serially(std::string_view text);

// All canonical k-mers of all runs, as words of letters, in order.
std::vector<std::string> words_of(const serial_fasta& fasta, int k);

// All canonical k-mers of all runs, as numbers to the base of four, in order. Precondition: k is at
// most 32.
std::vector<std::uint64_t> kmers_of(const serial_fasta& fasta, int k);

// Returns the number of occurrences of each number, in the order of the numbers.
std::vector<std::pair<std::uint64_t, std::uint64_t>> counted(std::vector<std::uint64_t> numbers);

}  // namespace examples::test
