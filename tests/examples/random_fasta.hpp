// Random FASTA files with everything in them that readers trip over.
#pragma once

#include <cstdint>
#include <string>

namespace examples::test {

// The same text for the same seed. About half of them are tiny, so that a file is cut at every
// place; some are larger than the pieces in which the reader reads.
std::string random_fasta(std::uint64_t seed);

}  // namespace examples::test
