#include "support/fasta_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "support/input_error.hpp"

namespace examples {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;
constexpr std::uint64_t bytes_per_turn = std::uint64_t{1} << 12;

std::uint64_t bytes_in_a_row(const text_file& file, std::uint64_t shares) {
  if (file.compressed()) return bytes_per_turn;
  return std::max<std::uint64_t>((file.stored_bytes() + shares - 1) / shares, 1);
}

std::string shown(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  if (code > ' ' && code < 0x7f) return std::string("'") + byte + "'";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "byte 0x%02X", code);
  return text.data();
}

}  // namespace

fasta_reader::fasta_reader(const std::string& path, share mine)
    : file_(path), mine_(mine), block_(bytes_in_a_row(file_, mine.of)), piece_(piece_bytes) {
  check_beginning();
  go_to_share();
}

std::uint64_t fasta_reader::bytes_to_read() const {
  return file_.compressed() ? file_.stored_bytes() : block_;
}

// All readers check the beginning, so that the error for another file names the format, and not a
// letter.
void fasta_reader::check_beginning() {
  const std::size_t bytes = file_.read(piece_);
  if (bytes == 0) {
    throw input_error(file_.path() + ": is empty; give a FASTA file, plain or gzip");
  }
  const auto first =
      std::find_if(piece_.begin(), piece_.begin() + static_cast<std::ptrdiff_t>(bytes),
                   [](char c) { return dna_letter_of(c) != dna_letter::blank; });
  const char byte = first == piece_.end() ? ' ' : *first;
  if (byte == '@') {
    throw input_error(file_.path() +
                      ": looks like FASTQ, as it begins with '@'; turn it into FASTA, for example "
                      "with sed -n '1~4s/^@/>/p;2~4p'");
  }
  if (byte != '>') {
    throw input_error(file_.path() + ": is no FASTA file: it begins with " + shown(byte) +
                      " and not with '>'; put a line with '>' and a name before each sequence");
  }
}

void fasta_reader::go_to_share() {
  if (!file_.compressed()) begin_ = std::min(mine_.index * block_, file_.stored_bytes());
  const std::uint64_t line = line_start_before(begin_);
  piece_begins_line_ = line == begin_;
  if (!piece_begins_line_) {
    char first = 0;
    file_.seek(line);
    file_.read({&first, 1});
    in_header_ = first == '>';
  }
  file_.seek(begin_);
  piece_offset_ = begin_;
}

// The beginning of the line with byte `offset`.
std::uint64_t fasta_reader::line_start_before(std::uint64_t offset) {
  while (offset > 0) {
    const std::size_t bytes = std::min<std::uint64_t>(piece_.size(), offset);
    file_.seek(offset - bytes);
    const std::string_view before(piece_.data(), file_.read({piece_.data(), bytes}));
    const std::size_t line_end = before.rfind('\n');
    if (line_end != std::string_view::npos) return offset - bytes + line_end + 1;
    offset -= bytes;
  }
  return 0;
}

bool fasta_reader::next_piece() {
  if (limit_ != nullptr && limit_ != piece_.data()) {
    piece_begins_line_ = limit_[-1] == '\n';
    piece_offset_ += static_cast<std::uint64_t>(limit_ - piece_.data());
  }
  const std::uint64_t left_of_block = block_ - piece_offset_ % block_;
  const std::size_t room = std::min<std::uint64_t>(piece_.size(), left_of_block);
  cursor_ = piece_.data();
  limit_ = cursor_ + file_.read({piece_.data(), room});
  in_share_ = piece_offset_ / block_ % mine_.of == mine_.index ? 1 : 0;
  bytes_read_ = file_.compressed() ? file_.stored_bytes_read() : piece_offset_ - begin_;
  const bool at_end = cursor_ == limit_;
  if (in_header_) skip_header();
  return !at_end;
}

// Skips to the end of the line, or to the end of the piece if it comes first.
void fasta_reader::skip_header() {
  const auto left = static_cast<std::size_t>(limit_ - cursor_);
  const void* line_end = left == 0 ? nullptr : std::memchr(cursor_, '\n', left);
  in_header_ = line_end == nullptr;
  cursor_ = in_header_ ? limit_ : static_cast<const char*>(line_end);
}

// Returns whether the letter is no base.
bool fasta_reader::ends_run(dna_letter letter) {
  if (letter == dna_letter::blank) return false;
  if (letter == dna_letter::ambiguous) {
    ambiguous_letters_ += in_share_;
    return true;
  }
  if (letter == dna_letter::illegal || !begins_line()) refuse_letter();
  sequences_ += in_share_;
  skip_header();
  return true;
}

// Returns whether the letter read last is the first letter of its line.
bool fasta_reader::begins_line() const {
  const char* letter = cursor_ - 1;
  return letter == piece_.data() ? piece_begins_line_ : letter[-1] == '\n';
}

void fasta_reader::refuse_letter() const {
  const char* letter = cursor_ - 1;
  const auto place = piece_offset_ + static_cast<std::uint64_t>(letter - piece_.data());
  throw input_error(
      file_.path() + ", line " + std::to_string(line_number(file_.path(), place)) + ": " +
      shown(*letter) +
      " may not stand here: a sequence has the letters ACGTU, and RYSWKMBDHVN where a "
      "base is ambiguous; correct the file, or replace what is unknown by N");
}

}  // namespace examples
