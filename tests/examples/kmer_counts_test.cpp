// Tests that parallel k-mer counts of whole genomes equal those of a serial count.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boxcar/run.hpp>

#include "count_kmers.hpp"
#include "examples/serial_fasta.hpp"
#include "examples/temporary_file.hpp"
#include "support/kmer_dump.hpp"

namespace examples::test::kmer_counts_test {
namespace {

using counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

counts count_in_parallel(const std::string& path, int k, int pes) {
  counts all;
  std::mutex guard;
  boxcar::run(pes, [&](boxcar::world& w) {
    fasta_reader reader(
        path, {static_cast<std::uint64_t>(w.rank()), static_cast<std::uint64_t>(w.size())});
    const auto mine = count_kmers<1>(w, reader, k);
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

// --- k-mers of any length, by the file of all counts ---------------------------------------------

// Returns the file of the k-mers of all PEs.
std::string dump_in_parallel(const std::string& path, int k, bool as_fasta, int pes) {
  const temporary_file file("a former file\n");
  const kmer_dump dump{file.path(), k, as_fasta};
  boxcar::run(pes, [&](boxcar::world& w) {
    dump.create(w);
    fasta_reader reader(
        path, {static_cast<std::uint64_t>(w.rank()), static_cast<std::uint64_t>(w.size())});
    with_words_of_kmer(
        k, [&]<std::size_t Words>() { dump.write(w, count_kmers<Words>(w, reader, k)); });
  });
  return contents_of(file.path());
}

// Returns the records of a dump, in order: a record has one line or two.
std::vector<std::string> sorted_records(const std::string& text, int lines) {
  std::vector<std::string> records;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = begin;
    for (int line = 0; line < lines; ++line) end = text.find('\n', end) + 1;
    records.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  std::sort(records.begin(), records.end());
  return records;
}

std::vector<std::string> sorted_records_of(const serial_fasta& fasta, int k, bool as_fasta) {
  std::map<std::string, int> found;
  for (const std::string& word : words_of(fasta, k)) ++found[word];
  std::vector<std::string> records;
  for (const auto& [word, times] : found) {
    const std::string count = std::to_string(times);
    records.push_back(as_fasta ? ">" + count + "\n" + word + "\n" : word + " " + count + "\n");
  }
  std::sort(records.begin(), records.end());
  return records;
}

void expect_serial_dump(const std::string& path, int k) {
  const serial_fasta fasta = read_serially(contents_of(path));
  for (const bool as_fasta : {false, true}) {
    const std::vector<std::string> serial = sorted_records_of(fasta, k, as_fasta);
    for (const int pes : {1, 3}) {
      const std::string text = dump_in_parallel(path, k, as_fasta, pes);
      EXPECT_TRUE(sorted_records(text, as_fasta ? 2 : 1) == serial)
          << "FASTA: " << as_fasta << ", PEs: " << pes;
    }
  }
}

class dumps_of_genome : public testing::TestWithParam<int> {};

TEST_P(dumps_of_genome, lambda_on_threads) {
  expect_serial_dump(LAMBDA_GENOME, GetParam());
}

INSTANTIATE_TEST_SUITE_P(k, dumps_of_genome, testing::Values(4, 32, 33, 64, 65, 97, 128),
                         testing::PrintToStringParamName());

// The two strands of the genome are one text: its middle is its own reverse complement, and in the
// stretches of A the counts have several digits.
TEST(dumps_of_text, palindromes_and_repeats_on_threads) {
  const std::string half = "GATTACAGGCATC" + std::string(150, 'A') + "CCGTAGGTCAATTGCACGTUUGCA";
  std::string text = ">a\n" + half;
  for (auto base = half.rbegin(); base != half.rend(); ++base) {
    text += "TGCAA"[std::string_view("ACGTU").find(*base)];
  }
  const temporary_file file(text + "\n>b\n" + std::string(2'000, 'C') + "\n");
  for (const int k : {1, 2, 32, 34, 64, 66, 96, 98, 128}) expect_serial_dump(file.path(), k);
}

TEST(dumps_of_text, shorter_than_a_kmer_on_threads) {
  const temporary_file file(">a\n" + std::string(127, 'G') + "\n");
  EXPECT_EQ(dump_in_parallel(file.path(), 128, false, 3), "");
  EXPECT_EQ(dump_in_parallel(file.path(), 127, false, 3), std::string(127, 'C') + " 1\n");
}

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
}  // namespace examples::test::kmer_counts_test
