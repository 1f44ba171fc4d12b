// Counts the k-mers of a genome: the words of k bases in a FASTA file, plain or gzip. A word and
// its reverse complement count as the same. The parallel part is in count_kmers.hpp.
//
//   boxcar run -n 4 -- kmer_count data/lambda_virus.fa.gz    4 processes
//   BOXCAR_PES=4 kmer_count -k 21 --compare genome.fa        4 threads; also item by item

#include <utility>

#include "count_kmers.hpp"
#include "support/arguments.hpp"
#include "support/kmer_summary.hpp"
#include "support/report.hpp"
#include "support/stopwatch.hpp"

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Counts the canonical k-mers of a FASTA file.");
    const auto k = static_cast<int>(given.number("-k", 31, {1, 32}, "bases of a k-mer"));
    const std::uint64_t expected = given.number("--expect", 0, {0, 1ull << 62},
                                                "fail unless so many k-mers differ; 0: any number");
    const bool compare = given.flag("--compare", "also without aggregation, item by item");
    const std::string file = given.file("a FASTA file, plain or compressed by gzip");
    if (!given.complete(w)) return;

    bool first = true;  // the run over the whole file, which prints its contents
    const auto count = [&](std::uint64_t parts, const boxcar::conveyor_options& options) {
      examples::stopwatch watch(w);
      const auto shares = static_cast<std::uint64_t>(w.size()) * parts;
      examples::fasta_reader reader(file, {static_cast<std::uint64_t>(w.rank()), shares});
      const examples::kmer_counts counts = examples::count_kmers(w, reader, k, options);
      const double seconds = watch.seconds();
      const examples::kmer_summary all = examples::summarise(w, reader, counts);
      if (std::exchange(first, false)) {
        all.check(file, expected);
        if (w.rank() == 0) all.print();
      }
      return examples::measurement{all.kmers, seconds};
    };
    examples::report(w, "k-mers", count, {compare, sizeof(std::uint64_t)});
  });
}
