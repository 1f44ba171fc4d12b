// Fuzz test of the examples' reader of FASTA files, plain or compressed: the reader refuses a file,
// or the shares of the file have the k-mers of the whole file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "input_file.hpp"
#include "support/input_error.hpp"
#include "support/kmer.hpp"

namespace {

struct contents {
  std::uint64_t kmers = 0;
  std::uint64_t sum = 0;  // of the hashes of the k-mers
  std::uint64_t bases = 0;
  std::uint64_t sequences = 0;
  bool operator==(const contents&) const = default;
};

// Returns nullopt if the file is refused.
template <int K>
std::optional<contents> read(std::uint64_t shares) {
  constexpr std::size_t words = examples::words_of_kmer(K);
  contents all;
  try {
    for (std::uint64_t index = 0; index < shares; ++index) {
      examples::fasta_reader reader(boxcar::fuzz::input_file::path(), {index, shares});
      examples::for_each_kmer<words>(reader, K, [&all](const examples::kmer<words>& word) {
        ++all.kmers;
        all.sum += examples::hash_of(word);
      });
      all.bases += reader.bases();
      all.sequences += reader.sequences();
    }
  } catch (const examples::input_error&) {
    return {};
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const boxcar::fuzz::input_file file(data, size);
  if (read<5>(1) != read<5>(3)) std::abort();
  static_cast<void>(read<examples::longest_kmer>(1));
  return 0;
}
