#include <algorithm>

#include "kmer_source.hpp"
#include "support/kmer.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

constexpr std::uint64_t read_bases = 150;
constexpr std::uint64_t coverage = 8;

}  // namespace

std::vector<std::uint64_t> kmers_of_random_reads(const world& w, int k, std::uint64_t n) {
  const std::uint64_t of_a_read = read_bases - static_cast<std::uint64_t>(k) + 1;
  const std::uint64_t reads = (n + of_a_read - 1) / of_a_read;
  const std::uint64_t genome_bases =
      std::max(reads * static_cast<std::uint64_t>(w.size()) * read_bases / coverage, read_bases);
  const std::uint64_t first_read = static_cast<std::uint64_t>(w.rank()) * reads;
  std::vector<std::uint64_t> kmers;
  kmers.reserve(reads * of_a_read);
  for (std::uint64_t read = first_read; read < first_read + reads; ++read) {
    const std::uint64_t begin = examples::mix(~read) % (genome_bases - read_bases + 1);
    examples::kmer_window<1> window(k);
    for (std::uint64_t base = begin; base < begin + read_bases; ++base) {
      window.add(static_cast<int>(examples::mix(base) & 3), true);
      if (window.begins_in_share()) kmers.push_back(window.canonical());
    }
  }
  kmers.resize(n);
  return kmers;
}

}  // namespace boxcar::bench
