#include "kmer_source.hpp"
#include "support/fasta_reader.hpp"
#include "support/kmer.hpp"

namespace boxcar::bench {

std::vector<std::uint64_t> kmers_of_file(const world& w, int k, const std::string& path) {
  examples::fasta_reader reader(
      path, {static_cast<std::uint64_t>(w.rank()), static_cast<std::uint64_t>(w.size())});
  std::vector<std::uint64_t> kmers;
  examples::for_each_kmer(reader, k, [&](std::uint64_t kmer) { kmers.push_back(kmer); });
  return kmers;
}

}  // namespace boxcar::bench
