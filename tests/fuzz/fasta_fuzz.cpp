// Fuzz test of the examples' reader of FASTA files, plain or compressed: the reader refuses a file,
// or the shares of the file have the k-mers of the whole file.
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "input_file.hpp"
#include "support/input_error.hpp"
#include "support/kmer.hpp"

namespace {

struct contents {
  std::uint64_t kmers = 0;
  std::uint64_t sum = 0;  // of the mixed k-mers
  std::uint64_t bases = 0;
  std::uint64_t sequences = 0;
  bool operator==(const contents&) const = default;
};

// Returns nullopt if the file is refused.
std::optional<contents> read(std::uint64_t shares, int k) {
  contents all;
  try {
    for (std::uint64_t index = 0; index < shares; ++index) {
      examples::fasta_reader reader(boxcar::fuzz::input_file::path(), {index, shares});
      examples::for_each_kmer(reader, k, [&all](std::uint64_t kmer) {
        ++all.kmers;
        all.sum += examples::mix(kmer);
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
  const auto whole = read(1, 5);
  const auto parts = read(3, 5);
  if (whole != parts) std::abort();
  static_cast<void>(read(1, examples::longest_kmer));
  return 0;
}
