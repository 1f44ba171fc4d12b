#include "sequence_parser.hpp"

#include <array>
#include <cstdio>
#include <cstring>

namespace boxcar::python {
namespace {

std::string shown(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  if (code > ' ' && code < 0x7f) return std::string("'") + byte + "'";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "byte 0x%02X", code);
  return text.data();
}

}  // namespace

// The position of the parser in a text, and the output position.
struct sequence_parser::cursor {
  const char* begin;
  const char* next;
  const char* end;
  dna_letter* out;

  [[nodiscard]] const char* line_end() const {
    return static_cast<const char*>(std::memchr(next, '\n', static_cast<std::size_t>(end - next)));
  }
};

sequence_parser::sequence_parser(std::string_view name, bool begins_line, bool in_header)
    : format_(name == "fasta"   ? format::fasta
              : name == "fastq" ? format::fastq
                                : format::lines),
      begins_line_(begins_line),
      in_header_(in_header) {}

std::optional<sequence_parser::problem> sequence_parser::parse(std::string_view text,
                                                               std::vector<dna_letter>& into) {
  const std::size_t before = into.size();
  // No byte becomes more than one letter; two gaps may precede the first letter: a gap here and
  // another at its line.
  into.resize(before + text.size() + 2);
  cursor at{text.data(), text.data(), text.data() + text.size(), into.data() + before};
  if (is_first_) *at.out++ = gap;
  is_first_ = false;
  std::optional<problem> found;
  switch (format_) {
    case format::fasta:
      found = parse_fasta(at);
      break;
    case format::fastq:
      found = parse_fastq(at);
      break;
    case format::lines:
      found = parse_lines(at);
      break;
  }
  into.resize(static_cast<std::size_t>(at.out - into.data()));
  parsed_ += text.size();
  return found;
}

std::optional<sequence_parser::problem> sequence_parser::parse_fasta(cursor& at) {
  while (at.next != at.end) {
    const char* const line_end = at.line_end();
    if (begins_line_ && *at.next == '>') {
      ++sequences_;
      *at.out++ = gap;
      in_header_ = true;
    }
    const char* const piece_end = line_end != nullptr ? line_end : at.end;
    if (!in_header_) {
      if (auto found = append(at, {at.next, piece_end})) return found;
    }
    begins_line_ = line_end != nullptr;
    if (begins_line_) in_header_ = false;
    at.next = begins_line_ ? line_end + 1 : at.end;
  }
  return std::nullopt;
}

std::optional<sequence_parser::problem> sequence_parser::parse_lines(cursor& at) {
  while (at.next != at.end) {
    const char* const line_end = at.line_end();
    if (begins_line_) {
      ++sequences_;
      *at.out++ = gap;
    }
    if (auto found = append(at, {at.next, line_end != nullptr ? line_end : at.end})) return found;
    begins_line_ = line_end != nullptr;
    at.next = begins_line_ ? line_end + 1 : at.end;
  }
  return std::nullopt;
}

std::optional<sequence_parser::problem> sequence_parser::parse_fastq(cursor& at) {
  while (at.next != at.end) {
    const char* const line_end = at.line_end();
    std::string_view piece(at.next, line_end != nullptr ? line_end : at.end);
    if (!piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
    const bool is_between_records = line_ == line::name && begins_line_;
    if (!piece.empty() || (line_end != nullptr && !is_between_records)) {
      if (auto found = parse_fastq_line(at, piece)) return found;
      begins_line_ = false;
      if (line_end != nullptr) {
        if (auto found = end_fastq_line(at)) return found;
      }
    }
    at.next = line_end != nullptr ? line_end + 1 : at.end;
  }
  return std::nullopt;
}

// A line or a piece of a line, without its end.
std::optional<sequence_parser::problem> sequence_parser::parse_fastq_line(cursor& at,
                                                                          std::string_view piece) {
  const auto must_begin_with = [&](char letter,
                                   const char* remedy) -> std::optional<sequence_parser::problem> {
    if (!begins_line_ || (!piece.empty() && piece.front() == letter)) return std::nullopt;
    return problem_at(at, at.next,
                      std::string("a line that should begin with '") + letter + "' " +
                          (piece.empty() ? "is empty" : "begins with " + shown(piece.front())) +
                          remedy);
  };
  switch (line_) {
    case line::name:
      if (begins_line_) {
        ++sequences_;
        *at.out++ = gap;
        letters_ = qualities_ = 0;
      }
      return must_begin_with('@', ": each record has four lines, the first with its name");
    case line::sequence:
      letters_ += piece.size();
      return append(at, piece);
    case line::plus:
      return must_begin_with('+',
                             ": each record has four lines; if sequences are broken into several, "
                             "join these, for example by seqtk seq -l0");
    case line::quality:
      qualities_ += piece.size();
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<sequence_parser::problem> sequence_parser::end_fastq_line(const cursor& at) {
  begins_line_ = true;
  switch (line_) {
    case line::name:
      line_ = line::sequence;
      break;
    case line::sequence:
      line_ = line::plus;
      break;
    case line::plus:
      line_ = line::quality;
      break;
    case line::quality:
      if (qualities_ != letters_) return problem_at(at, at.next, different_lengths());
      line_ = line::name;
      break;
  }
  return std::nullopt;
}

std::string sequence_parser::different_lengths() const {
  return "the quality has " + std::to_string(qualities_) + " letters, and the sequence " +
         std::to_string(letters_) + ": correct the record, or leave it out";
}

std::optional<sequence_parser::problem> sequence_parser::finish() const {
  if (format_ != format::fastq || (line_ == line::name && begins_line_)) return std::nullopt;
  if (line_ == line::quality && (qualities_ == letters_)) return std::nullopt;
  const std::uint64_t last = parsed_ == 0 ? 0 : parsed_ - 1;
  if (line_ == line::quality && qualities_ != 0) return problem(last, different_lengths());
  return problem(last,
                 "the text ends within a record, which has four lines: fetch the whole file again, "
                 "or leave the record out");
}

// Appends the letters of a line or a piece of a line.
std::optional<sequence_parser::problem> sequence_parser::append(cursor& at,
                                                                std::string_view piece) const {
  dna_letter all = 0;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    at.out[i] = dna_letter_of(piece[i]);
    all |= at.out[i];
  }
  if (all < blank) [[likely]] {
    at.out += piece.size();
    return std::nullopt;
  }
  for (const char& byte : piece) {
    const dna_letter letter = dna_letter_of(byte);
    if (letter < blank) {
      *at.out++ = letter;
    } else if (letter == illegal || format_ != format::fasta) {
      return problem_at(at, &byte,
                        shown(byte) +
                            " in a sequence: give letters, ACGT and others, such as N, where a "
                            "base is not known");
    }
  }
  return std::nullopt;
}

sequence_parser::problem sequence_parser::problem_at(const cursor& at, const char* place,
                                                     std::string what) const {
  return {parsed_ + static_cast<std::uint64_t>(place - at.begin), std::move(what)};
}

bool sequence_parser::parse_overlap(std::string_view text, std::size_t most,
                                    std::vector<dna_letter>& into) {
  if (in_header_) return false;
  for (const char byte : text) {
    const dna_letter letter = dna_letter_of(byte);
    // An illegal letter ends the run, too: the PE with the text reports it.
    const bool is_blank = letter == blank || byte == '\n';
    if (overlap_ == most || (letter >= gap && !is_blank)) return false;
    if (is_blank) continue;
    into.push_back(letter);
    ++overlap_;
  }
  return overlap_ != most;
}

}  // namespace boxcar::python
