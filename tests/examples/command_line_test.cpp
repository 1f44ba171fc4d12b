// Tests of the output of the example programs: answers, or an exit status and a message with the
// error and the remedy.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "examples/program.hpp"
#include "examples/serial_fasta.hpp"
#include "examples/temporary_file.hpp"

namespace examples::test::command_line_test {
namespace {

// The ways to start three PEs: as threads and, where there is a launcher, as processes.
std::vector<std::string> ways_to_start() {
  std::vector<std::string> ways{"BOXCAR_PES=3 "};
  const std::string launcher = BOXCAR_LAUNCHER;
  if (!launcher.empty()) ways.push_back(launcher + " run -n 3 -- ");
  return ways;
}

const std::string programs = EXAMPLE_PROGRAMS;

void expect_in(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

void expect_refused(const std::string& command, const std::vector<std::string>& parts) {
  for (const std::string& start : ways_to_start()) {
    SCOPED_TRACE(start + command);
    const outcome result = run_program(start + programs + "/" + command);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.output, "");
    expect_in(result.errors, parts);
  }
}

void expect_works(const std::string& command, const std::vector<std::string>& parts) {
  for (const std::string& start : ways_to_start()) {
    SCOPED_TRACE(start + command);
    const outcome result = run_program(start + programs + "/" + command);
    EXPECT_EQ(result.status, 0) << result.errors;
    expect_in(result.output, parts);
  }
}

TEST(histogram, refuses_nonsense) {
  expect_refused("histogram --items many", {"--items is", "many", "whole number", "--help"});
  expect_refused("histogram --items -5", {"--items is", "-5", "from 0"});
  expect_refused("histogram --items 1e6", {"--items is", "1e6"});
  expect_refused("histogram --items=", {"--items is"});
  expect_refused("histogram --items", {"--items is"});
  expect_refused("histogram --items 99999999999999999999", {"99999999999999999999"});
  expect_refused("histogram --slots 0", {"--slots is", "from 1"});
  expect_refused("histogram --itemz 5", {"--itemz"});
  expect_refused("histogram 5", {"5", "not understood"});
  expect_refused("histogram --items 5 --items 6", {"--items", "given twice"});
}

TEST(histogram, works_at_the_limits) {
  expect_works("histogram --items 0", {"0.00 M items/s"});
  expect_works("histogram --items=1 --slots=1 --compare", {"item by item", "ratio"});
  expect_works("histogram_exchange --items 1000 --slots 3", {"3 ("});
}

TEST(index_gather, works_at_the_limits) {
  expect_works("index_gather --items 0", {"0.00 M values/s"});
  expect_works("index_gather --items 1 --elements 1 --compare", {"item by item", "ratio"});
  expect_works("index_gather_exchange --items 7 --elements 2 --compare", {"item by item"});
}

TEST(index_gather, refuses_nonsense) {
  expect_refused("index_gather --elements 0", {"--elements is", "from 1"});
  expect_refused("index_gather_exchange --compare=yes", {"--compare=yes"});
}

TEST(nbody, refuses_nonsense) {
  expect_refused("nbody --requests often", {"--requests is", "often", "aggregated or single"});
  expect_refused("nbody --replies", {"--replies is", "aggregated or single"});
  expect_refused("nbody --particles 0", {"--particles is", "from 1"});
}

TEST(nbody, works_over_a_grid) {
  expect_works("nbody --particles 100 --requests=single --replies=aggregated", {"100 particles"});
  expect_works("nbody --particles 100 --dimensions 2 --buffer 256 --flush-after 10", {"3 PEs"});
}

TEST(all_examples, have_help) {
  for (const std::string program :
       {"histogram", "histogram_exchange", "index_gather", "index_gather_exchange", "kmer_count"}) {
    expect_works(program + " --help --nonsense", {"usage: " + program, "--compare", "--help"});
  }
}

TEST(kmer_count, tells_what_is_in_a_genome) {
  // Counted by other means: see docs/examples.md.
  expect_works("kmer_count -k 11 --expect 47379 " LAMBDA_GENOME,
               {"48,502", "48,492", "47,379", "46,289", "1,067"});
  expect_works("kmer_count --compare " LAMBDA_GENOME, {"48,472", "item by item"});
  expect_refused("kmer_count --expect 5 " LAMBDA_GENOME, {"48472 distinct", "5 were expected"});
}

TEST(kmer_count, writes_all_counts) {
  const temporary_file genome(">a\n" + std::string(50, 'A') + "\n");
  const temporary_file dump("a former file");
  const std::string options = "kmer_count -k 40 --dump " + dump.path() + " ";
  expect_works(options + genome.path(), {"distinct k-mers"});
  EXPECT_EQ(contents_of(dump.path()), std::string(40, 'A') + " 11\n");
  expect_works(options + "--dump-form fasta " + genome.path(), {"distinct k-mers"});
  EXPECT_EQ(contents_of(dump.path()), ">11\n" + std::string(40, 'A') + "\n");
}

TEST(kmer_count, counts_e_coli) {
  const std::string genome = E_COLI_GENOME;
  if (genome.empty()) GTEST_SKIP() << "no genome of E. coli, see examples_kmer_counts_test";
  const auto distinct = counted(kmers_of(read_serially(contents_of(genome)), 21)).size();
  expect_works("kmer_count -k 21 --expect " + std::to_string(distinct) + " " + genome, {});
}

TEST(kmer_count, refuses_nonsense) {
  expect_refused("kmer_count", {"FILE is missing", "FASTA"});
  expect_refused("kmer_count -k 0 " LAMBDA_GENOME, {"-k is", "0", "1 to 128"});
  expect_refused("kmer_count -k 129 " LAMBDA_GENOME, {"-k is", "129", "1 to 128"});
  expect_refused("kmer_count -k x " LAMBDA_GENOME, {"-k is", "x", "1 to 128"});
  expect_refused("kmer_count --dump-form csv " LAMBDA_GENOME, {"csv", "columns or fasta"});
  expect_refused("kmer_count " LAMBDA_GENOME " --dump", {"--dump has no file", "Jellyfish"});
  expect_refused("kmer_count --dump no/such/dump " LAMBDA_GENOME,
                 {"no/such/dump cannot be written: No such file", "give a file"});
  expect_refused("kmer_count a.fa b.fa", {"b.fa", "not understood"});
}

// The message is about the file, whichever PE finds the error, and no PE hangs.
TEST(kmer_count, refuses_bad_files) {
  expect_refused("kmer_count no/such/file.fa", {"no/such/file.fa: No such file", "give"});
  expect_refused("kmer_count /dev/null", {"/dev/null: is not a regular file"});
  const auto refuse = [](const std::string& contents, const std::vector<std::string>& parts) {
    const temporary_file file(contents);
    expect_refused("kmer_count " + file.path(), parts);
  };
  std::string genome = ">a\n";
  for (int i = 0; i < 5'000; ++i) genome += "ACGTTGCATGACCTAG\n";
  refuse("", {"is empty"});
  refuse("@r\nACGT\n+\nIIII\n", {"FASTQ"});
  refuse("hello\n", {"is no FASTA file", "h"});
  refuse(">a\n>b\n", {"holds no sequence"});
  refuse(genome + "ACGTZ\n", {"line 5002: ", "Z", "correct the file"});
  refuse(">a\nZ\n" + genome, {"line 2: ", "Z"});
  refuse(gzip(genome + "ACGTZ\n"), {"line 5002: ", "Z"});
  const std::string compressed = gzip(genome);
  refuse(compressed.substr(0, compressed.size() - 12), {"truncated", "fetch"});
}

}  // namespace
}  // namespace examples::test::command_line_test
