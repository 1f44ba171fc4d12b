#include "support/kmer_summary.hpp"

#include <cstdio>

#include "count_kmers.hpp"
#include "support/input_error.hpp"
#include "support/report.hpp"
#include "support/require.hpp"

namespace examples {
namespace {

kmer_summary operator+(kmer_summary a, const kmer_summary& b) {
  a.sequences += b.sequences;
  a.bases += b.bases;
  a.ambiguous_letters += b.ambiguous_letters;
  a.kmers += b.kmers;
  a.distinct += b.distinct;
  a.occurrences = a.occurrences + b.occurrences;
  return a;
}

}  // namespace

void kmer_summary::check(const std::string& file, std::uint64_t expected_distinct) const {
  if (bases + ambiguous_letters == 0) {
    throw input_error(file + ": holds no sequence: there are no letters after its headers");
  }
  if (expected_distinct == 0 || expected_distinct == distinct) return;
  wrong_result(file + " has " + std::to_string(distinct) + " distinct k-mers, but " +
               std::to_string(expected_distinct) + " were expected");
}

void kmer_summary::print() const {
  const auto line = [](const char* what, std::uint64_t number) {
    std::printf("  %-20s %14s\n", what, with_commas(number).c_str());
  };
  line("sequences", sequences);
  line("bases", bases);
  line("ambiguous letters", ambiguous_letters);
  line("k-mers", kmers);
  line("distinct k-mers", distinct);
  occurrences.print();
}

template <std::size_t Words>
kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                       const kmer_counts<Words>& counts) {
  kmer_summary mine{
      reader.sequences(), reader.bases(), reader.ambiguous_letters(), 0, counts.table.size(), {}};
  std::uint64_t counted = 0;
  for (const auto& [word, times] : counts.table) {
    mine.kmers += times;
    mine.occurrences.add(times);
    counted += times * hash_of(word);
  }
  require(w.reduce(counts.sent) == w.reduce(counted),
          "the counts are not those of the k-mers sent");
  return w.reduce(mine, [](const kmer_summary& a, const kmer_summary& b) { return a + b; });
}

template kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                                const kmer_counts<1>& counts);
template kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                                const kmer_counts<2>& counts);
template kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                                const kmer_counts<3>& counts);
template kmer_summary summarise(boxcar::world& w, const fasta_reader& reader,
                                const kmer_counts<4>& counts);

}  // namespace examples
