// Tests that the reader's shares together hold the result of a serial reader: everything, once.
#include "support/fasta_reader.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "examples/random_fasta.hpp"
#include "examples/serial_fasta.hpp"
#include "examples/temporary_file.hpp"
#include "support/input_error.hpp"
#include "support/kmer.hpp"

namespace examples::test::fasta_reader_test {
namespace {

struct found_in_shares {
  std::uint64_t sequences = 0;
  std::uint64_t bases = 0;
  std::uint64_t ambiguous_letters = 0;
  std::vector<std::uint64_t> kmers;
};

found_in_shares read_shares(const std::string& path, std::uint64_t shares, int k) {
  found_in_shares found;
  for (std::uint64_t i = 0; i < shares; ++i) {
    fasta_reader reader(path, {i, shares});
    for_each_kmer(reader, k, [&](std::uint64_t kmer) { found.kmers.push_back(kmer); });
    found.sequences += reader.sequences();
    found.bases += reader.bases();
    found.ambiguous_letters += reader.ambiguous_letters();
  }
  return found;
}

// Every number of shares, every interesting k.
void expect_same_in_all_shares(const std::string& path, const std::string& text) {
  const serial_fasta serial = read_serially(text);
  for (const int k : {1, 2, 5, 16, 31, 32}) {
    const auto serial_counts = counted(kmers_of(serial, k));
    for (std::uint64_t shares = 1; shares <= 9; ++shares) {
      SCOPED_TRACE("k " + std::to_string(k) + ", number of shares " + std::to_string(shares));
      const found_in_shares found = read_shares(path, shares, k);
      EXPECT_EQ(found.sequences, serial.sequences);
      EXPECT_EQ(found.bases, serial.bases);
      EXPECT_EQ(found.ambiguous_letters, serial.ambiguous_letters);
      EXPECT_TRUE(counted(found.kmers) == serial_counts);
      if (testing::Test::HasFailure()) return;
    }
  }
}

class random_files : public testing::TestWithParam<int> {};

TEST_P(random_files, plain) {
  for (int seed = 0; seed < 25; ++seed) {
    const auto number = static_cast<std::uint64_t>(GetParam() * 25 + seed);
    SCOPED_TRACE("random_fasta(" + std::to_string(number) + ")");
    const std::string text = random_fasta(number);
    const temporary_file file(text);
    expect_same_in_all_shares(file.path(), text);
    if (HasFailure()) return;
  }
}

TEST_P(random_files, gzip) {
  for (int seed = 0; seed < 25; ++seed) {
    const auto number = static_cast<std::uint64_t>(1000 + GetParam() * 25 + seed);
    SCOPED_TRACE("random_fasta(" + std::to_string(number) + ")");
    const std::string text = random_fasta(number);
    const temporary_file file(gzip(text));
    expect_same_in_all_shares(file.path(), text);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(seeds, random_files, testing::Range(0, 8));

// Every place in a short file is a border between shares for some number of shares.
TEST(fasta_reader, cuts_a_short_file_at_every_byte) {
  const std::string text = ">one > two\r\nACGTTGCA\r\n\r\nacgn\r\nGGATC\r\n>\r\n>three\r\nTTGACCA";
  const temporary_file file(text);
  const serial_fasta serial = read_serially(text);
  for (std::uint64_t shares = 1; shares <= text.size() + 3; ++shares) {
    for (int k = 1; k <= 9; ++k) {
      EXPECT_EQ(counted(read_shares(file.path(), shares, k).kmers), counted(kmers_of(serial, k)))
          << "k " << k << ", number of shares " << shares;
    }
  }
}

TEST(fasta_reader, reads_several_gzip_members_as_one_text) {
  const temporary_file file(gzip(">a\nACGT") + gzip("TTAC\n>b\nGG\n"));
  expect_same_in_all_shares(file.path(), ">a\nACGTTTAC\n>b\nGG\n");
}

TEST(fasta_reader, has_no_kmers_where_runs_are_too_short) {
  const temporary_file file(">a\nACGTACGTAC\nNACGTACGTACGT\n");
  EXPECT_TRUE(read_shares(file.path(), 3, 14).kmers.empty());
  EXPECT_EQ(read_shares(file.path(), 3, 13).kmers.size(), 0u);
  EXPECT_EQ(read_shares(file.path(), 3, 12).kmers.size(), 1u);
}

TEST(fasta_reader, takes_u_for_t) {
  const temporary_file rna(">a\nACGUUGCAU\nuGGAUc\n");
  const temporary_file both(">a\nACGTUGCAU\ntGGAUc\n");
  const temporary_file dna(">a\nACGTTGCAT\ntGGATc\n");
  for (const std::uint64_t shares : {1u, 3u}) {
    const auto right = read_shares(dna.path(), shares, 4);
    EXPECT_EQ(right.bases, 15u);
    for (const temporary_file* file : {&rna, &both}) {
      EXPECT_EQ(read_shares(file->path(), shares, 4).kmers, right.kmers);
      EXPECT_EQ(read_shares(file->path(), shares, 4).bases, 15u);
    }
  }
}

TEST(kmer_window, takes_the_smaller_of_a_word_and_its_reverse_complement) {
  const temporary_file file(">a\nTTTG\n");  // CAAA on the other strand: 1 0 0 0 to the base of four
  EXPECT_EQ(read_shares(file.path(), 1, 4).kmers, std::vector<std::uint64_t>{64});
}

TEST(kmer_window, uses_all_bits_of_a_word_of_32_bases) {
  const temporary_file file(">a\n" + std::string(16, 'G') + std::string(16, 'A') + "\n");
  // The other strand begins with T, so the word stands as it is: 16 times 2, then 16 times 0.
  EXPECT_EQ(read_shares(file.path(), 1, 32).kmers, std::vector<std::uint64_t>{0xaaaaaaaa00000000});
}

// --- Files in other formats than FASTA -----------------------------------------------------------

void expect_refusal(const std::string& path, const std::vector<std::string>& parts) {
  for (const std::uint64_t shares : {1u, 4u}) {
    std::string message;
    try {
      read_shares(path, shares, 3);
    } catch (const input_error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(path), std::string::npos) << message;
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
    }
  }
}

void expect_contents_refused(const std::string& contents, const std::vector<std::string>& parts) {
  const temporary_file file(contents);
  expect_refusal(file.path(), parts);
}

TEST(bad_file, missing) {
  expect_refusal("no/such/file.fa", {"No such file", "give"});
}

TEST(bad_file, directory) {
  expect_refusal("/", {"not a regular file", "give"});
}

TEST(bad_file, empty) {
  expect_contents_refused("", {"is empty", "give"});
  expect_contents_refused(gzip(""), {"is empty", "give"});
}

TEST(bad_file, fastq) {
  expect_contents_refused("@read\nACGT\n+\nIIII\n", {"FASTQ", "sed"});
  expect_contents_refused(gzip("@read\nACGT\n+\nIIII\n"), {"FASTQ", "sed"});
}

TEST(bad_file, without_header) {
  expect_contents_refused("ACGT\nACGT\n", {"begins with 'A'", "put a line with '>'"});
  expect_contents_refused("\n\n  \n", {"is no FASTA file"});
  expect_contents_refused(std::string("\x7f"
                                      "ELF",
                                      4),
                          {"begins with byte 0x7F"});
}

TEST(bad_file, other_letters) {
  expect_contents_refused(">a\nACGT\nACJT\n", {", line 3: 'J'", "correct the file"});
  expect_contents_refused(gzip(">a\r\nACGT\r\nAC*T\r\n"), {", line 3: '*'"});
  expect_contents_refused(">a\nACGEE\n", {", line 2: 'E'", "ACGTU"});
  expect_contents_refused(">a\nACG>T\n", {", line 2: '>'"});
  expect_contents_refused(">a\n  >b\nA\n", {", line 2: '>'"});
  expect_contents_refused(std::string(">a\nAC\0T", 7), {", line 2: byte 0x00"});
  expect_contents_refused(">a\nAC\xc3\xa4", {", line 2: byte 0xC3"});
}

TEST(bad_file, letter_far_into_it) {
  std::string text = ">a\n";
  for (int line = 2; line <= 10'000; ++line) text += line == 7777 ? "ACGTE\n" : "ACGTACGTNACGT\n";
  expect_contents_refused(text, {", line 7777: 'E'"});
  expect_contents_refused(gzip(text), {", line 7777: 'E'"});
}

TEST(bad_file, truncated_gzip) {
  const std::string whole = gzip(random_fasta(3) + random_fasta(5) + random_fasta(8));
  for (const std::size_t missing : {1u, 4u, 8u, 9u}) {
    expect_contents_refused(whole.substr(0, whole.size() - missing), {"truncated", "fetch"});
  }
  expect_contents_refused(whole.substr(0, whole.size() / 2), {"truncated", "fetch"});
  expect_contents_refused(whole.substr(0, 6), {"truncated", "fetch"});
}

TEST(bad_file, damaged_gzip) {
  std::string bytes = gzip(random_fasta(3));
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 0x55);  // in the checksum
  expect_contents_refused(bytes, {"damaged", "fetch"});
}

}  // namespace
}  // namespace examples::test::fasta_reader_test
