// k-mers as words of letters, all of one length, contiguous. Codes of k-mers are contiguous words,
// see kmer.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace boxcar::python {

// Returns the number of the first word with letters other than ACGT and U, of either case.
std::optional<std::uint64_t> encode_kmers(std::string_view text, int k,
                                          std::span<std::uint64_t> codes);
void decode_kmers(std::span<const std::uint64_t> codes, int k, std::span<char> text);

// Replaces k-mers by their canonical k-mers.
void make_kmers_canonical(int k, std::span<std::uint64_t> codes);

// Returns the lines of `jellyfish dump`, in Jellyfish's columns ("ACGT 3\n"), or as FASTA
// (">3\nACGT\n").
std::string kmer_lines(std::span<const std::uint64_t> codes, std::span<const std::int64_t> counts,
                       int k, bool as_fasta);

}  // namespace boxcar::python
