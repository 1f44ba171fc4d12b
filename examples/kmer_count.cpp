// Counts the k-mers of a genome: the words of k bases in a FASTA file, plain or gzip. A word and
// its reverse complement count as the same. The parallel part is in count_kmers.hpp.
//
//   boxcar run -n 4 -- kmer_count data/lambda_virus.fa.gz    4 processes
//   BOXCAR_PES=4 kmer_count -k 21 --compare genome.fa        4 threads; also item by item
//   boxcar run -n 4 -- kmer_count -k 51 --dump counts genome.fa.gz  also writes all counts

#include <cstddef>
#include <utility>

#include "count_kmers.hpp"
#include "support/arguments.hpp"
#include "support/kmer_dump.hpp"
#include "support/kmer_summary.hpp"
#include "support/report.hpp"
#include "support/stopwatch.hpp"

namespace examples {
namespace {

// The results of counting a share of a file.
struct outcome {
  kmer_summary all;
  double seconds;
};

// Collective. Counts k-mers of so many words, and writes the counts to a file if `dump` has a path.
template <std::size_t Words>
outcome count(boxcar::world& w, fasta_reader& reader, const kmer_dump& dump,
              const boxcar::conveyor_options& options) {
  stopwatch watch(w);
  const kmer_counts<Words> counts = count_kmers<Words>(w, reader, dump.k, options);
  const double seconds = watch.seconds();
  dump.write(w, counts);
  return {summarise(w, reader, counts), seconds};
}

}  // namespace
}  // namespace examples

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Counts the canonical k-mers of a FASTA file.");
    const auto k =
        static_cast<int>(given.number("-k", 31, {1, examples::longest_kmer}, "bases of a k-mer"));
    const std::uint64_t expected = given.number("--expect", 0, {0, 1ull << 62},
                                                "fail unless so many k-mers differ; 0: any number");
    const bool compare = given.flag("--compare", "also without aggregation, item by item");
    const std::string form =
        given.choice("--dump-form", {"columns", "fasta"}, "the form of the file of --dump");
    examples::kmer_dump dump{
        given.path("--dump", "a file for all k-mers and counts, in Jellyfish's form"), k,
        form == "fasta"};
    const std::string file = given.file("a FASTA file, plain or compressed by gzip");
    if (!given.complete(w)) return;
    dump.create(w);

    bool first = true;  // the run over the whole file, which prints its contents
    const auto job = [&](std::uint64_t parts, const boxcar::conveyor_options& options) {
      const auto shares = static_cast<std::uint64_t>(w.size()) * parts;
      examples::fasta_reader reader(file, {static_cast<std::uint64_t>(w.rank()), shares});
      const examples::outcome result = examples::with_words_of_kmer(
          k, [&]<std::size_t Words>() { return examples::count<Words>(w, reader, dump, options); });
      if (std::exchange(first, false)) {
        result.all.check(file, expected);
        if (w.rank() == 0) result.all.print();
        dump.path.clear();
      }
      return examples::measurement{result.all.kmers, result.seconds};
    };
    examples::report(w, "k-mers", job,
                     {compare, examples::words_of_kmer(k) * sizeof(std::uint64_t)});
  });
}
