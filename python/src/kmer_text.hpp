// k-mers as words of letters, all of one length, contiguous.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace boxcar::python {

// Returns the number of the first word with letters other than ACGT, of either case.
std::optional<std::uint64_t> encode_kmers(std::string_view text, int k,
                                          std::span<std::uint64_t> kmers);
void decode_kmers(std::span<const std::uint64_t> kmers, int k, std::span<char> text);

}  // namespace boxcar::python
