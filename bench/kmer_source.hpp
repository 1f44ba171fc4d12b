// Where the k-mers come from that are counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// `n` canonical k-mers, in order, of random reads of a random genome that all PEs have in
// common. Each part of it is read several times, so that k-mers repeat.
[[nodiscard]] std::vector<std::uint64_t> kmers_of_random_reads(const world& w, int k,
                                                               std::uint64_t n);

// The canonical k-mers of this PE's share of a FASTA file. Throws std::runtime_error for what is
// none, and argument_error if this was built without zlib.
[[nodiscard]] std::vector<std::uint64_t> kmers_of_file(const world& w, int k,
                                                       const std::string& path);

}  // namespace boxcar::bench
