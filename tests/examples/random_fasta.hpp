// Random FASTA files with all difficulties of the format.
#pragma once

#include <cstdint>
#include <string>

namespace examples::test {

// Returns a text, the same for the same seed. About half of the texts are tiny, so that a file is
// cut at every place; some are larger than the reader's pieces.
std::string random_fasta(std::uint64_t seed);

}  // namespace examples::test
