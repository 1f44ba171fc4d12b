// Tests that parallel k-mer counts of whole genomes equal those of a serial count.
#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/run.hpp>

#include "count_kmers.hpp"
#include "examples/serial_fasta.hpp"
#include "examples/temporary_file.hpp"

namespace examples::test {
namespace {

using counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

counts count_in_parallel(const std::string& path, int k, int pes) {
  counts all;
  std::mutex guard;
  boxcar::run(pes, [&](boxcar::world& w) {
    fasta_reader reader(
        path, {static_cast<std::uint64_t>(w.rank()), static_cast<std::uint64_t>(w.size())});
    const kmer_counts mine = count_kmers(w, reader, k);
    const std::lock_guard lock(guard);
    all.insert(all.end(), mine.table.begin(), mine.table.end());
  });
  std::sort(all.begin(), all.end());
  return all;
}

// Counts a plain file and a compressed file, on several numbers of PEs.
void expect_serial_counts(const std::string& compressed, int k) {
  const std::string text = contents_of(compressed);
  const temporary_file plain(text);
  const counts serial = counted(kmers_of(read_serially(text), k));
  for (const int pes : {1, 3, 4}) {
    // EXPECT_EQ would print millions of counts.
    EXPECT_TRUE(count_in_parallel(plain.path(), k, pes) == serial) << "plain, PEs: " << pes;
    EXPECT_TRUE(count_in_parallel(compressed, k, pes) == serial) << "gzip, PEs: " << pes;
  }
}

class kmers_of_genome : public testing::TestWithParam<int> {};

TEST_P(kmers_of_genome, lambda_on_threads) {
  expect_serial_counts(LAMBDA_GENOME, GetParam());
}

INSTANTIATE_TEST_SUITE_P(k, kmers_of_genome, testing::Values(1, 15, 31, 32),
                         testing::PrintToStringParamName());

// ThreadSanitizer runs the tests with "threads" in their name; here it would take too long.
TEST(kmers_of_31_letters, e_coli) {
  const std::string genome = E_COLI_GENOME;
  if (genome.empty()) {
    GTEST_SKIP() << "the genome of E. coli (NC_008253.fna.gz) was not found: install Debian's "
                    "bowtie-examples, or set BOXCAR_E_COLI to its path";
  }
  expect_serial_counts(genome, 31);
}

}  // namespace
}  // namespace examples::test
