// The sources of the k-mers to be counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/world.hpp>

namespace boxcar::bench {

// Returns `n` canonical k-mers, in order, of random reads of a random genome common to all PEs.
// Each part of the genome is read several times, so that k-mers repeat.
[[nodiscard]] std::vector<std::uint64_t> kmers_of_random_reads(const world& w, int k,
                                                               std::uint64_t n);

// Returns the canonical k-mers of the PE's share of a FASTA file. Throws std::runtime_error for an
// invalid file, and argument_error in builds without zlib.
[[nodiscard]] std::vector<std::uint64_t> kmers_of_file(const world& w, int k,
                                                       const std::string& path);

}  // namespace boxcar::bench
