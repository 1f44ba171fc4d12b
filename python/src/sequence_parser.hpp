// Parses the letters of the sequences in a text that comes piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dna_letter.hpp"

namespace boxcar::python {

class sequence_parser {
 public:
  // The position in the parsed text, and the error at the position.
  using problem = std::pair<std::uint64_t, std::string>;

  // `format` is "fasta", "fastq" (of four lines a record), or "lines", with a sequence in each
  // line. A text of FASTA may begin within a line: `begins_line` and `in_header` tell where. A text
  // of FASTQ begins with a record.
  sequence_parser(std::string_view format, bool begins_line, bool in_header);

  // Appends letters, which are bases and gaps, up to the first problem.
  std::optional<problem> parse(std::string_view text, std::vector<dna_letter>& into);
  // The text has ended.
  [[nodiscard]] std::optional<problem> finish() const;

  // Appends the letters of `text`, which follows the end of a text of FASTA, as far as they belong
  // to the run of bases at the end, but at most `most` in all calls. Returns whether the run goes
  // on behind `text`.
  bool parse_overlap(std::string_view text, std::size_t most, std::vector<dna_letter>& into);

  // The number of sequences begun so far.
  [[nodiscard]] std::uint64_t sequences() const { return sequences_; }

 private:
  enum class format : std::uint8_t { fasta, fastq, lines };
  enum class line : std::uint8_t { name, sequence, plus, quality };  // lines of a record of FASTQ

  struct cursor;
  std::optional<problem> parse_fasta(cursor& at);
  std::optional<problem> parse_fastq(cursor& at);
  std::optional<problem> parse_lines(cursor& at);
  std::optional<problem> parse_fastq_line(cursor& at, std::string_view piece);
  std::optional<problem> end_fastq_line(const cursor& at);
  std::optional<problem> append(cursor& at, std::string_view piece) const;
  [[nodiscard]] problem problem_at(const cursor& at, const char* place, std::string what) const;
  [[nodiscard]] std::string different_lengths() const;

  format format_;
  bool begins_line_;
  bool in_header_;             // used for FASTA
  line line_ = line::name;     // used for FASTQ
  std::uint64_t letters_ = 0;  // letters of the record's sequence, and of its quality
  std::uint64_t qualities_ = 0;
  std::uint64_t sequences_ = 0;
  std::uint64_t parsed_ = 0;  // bytes before the text
  std::size_t overlap_ = 0;   // bases behind the end of the text
  bool is_first_ = true;
};

}  // namespace boxcar::python
