// Reads one PE's share of the letters of a FASTA file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/dna_letter.hpp"
#include "support/text_file.hpp"

namespace examples {

// Share number `index`, counted from 0, of `of` shares.
struct share {
  std::uint64_t index;
  std::uint64_t of;
};

// Every byte of the text belongs to exactly one share. Things are counted in the share of their
// first byte, and so counted once. A plain file is cut into one stretch per share, and a reader
// seeks to its own stretch. A compressed file can only be read from its beginning: every reader
// decompresses the whole file, and the shares take turns in small blocks.
//
// Bases are the letters A, C, G and T of either case; the U of RNA counts as T. Letters for several
// bases (N, R, Y, ...) end a run of bases. Lines may end in CR LF; blanks and empty lines mean
// nothing. All functions throw input_error, with the file and the line, if the file is no FASTA
// file.
class fasta_reader {
 public:
  fasta_reader(const std::string& path, share mine);

  // The results of `next` other than a base, which is 0 to 3 for A, C, G and T.
  static constexpr int gap = 4;  // a run of bases ends here
  static constexpr int end = 5;  // the end of the file

  // Returns the next letter. Letters of other shares come too: the letters after the share, to
  // complete what begins in the share, and in a compressed file all letters.
  int next() {
    while (true) {
      while (cursor_ == limit_) {
        if (!next_piece()) return end;
      }
      const dna_letter letter = dna_letter_of(*cursor_++);
      if (letter <= dna_letter::t) [[likely]] {
        bases_ += in_share_;
        return static_cast<int>(letter);
      }
      if (ends_run(letter)) return gap;
    }
  }
  // Returns whether the letter that was returned last belongs to the share.
  [[nodiscard]] bool in_share() const { return in_share_ != 0; }
  // Returns whether the share has ended, so that no later letter belongs to the share.
  [[nodiscard]] bool beyond_share() const { return in_share_ == 0 && !file_.compressed(); }

  // Counts of the part of the share read so far.
  [[nodiscard]] std::uint64_t sequences() const { return sequences_; }
  [[nodiscard]] std::uint64_t bases() const { return bases_; }
  [[nodiscard]] std::uint64_t ambiguous_letters() const { return ambiguous_letters_; }

  // Progress, in stored bytes: all bytes of this reader, and the bytes read so far.
  [[nodiscard]] std::uint64_t bytes_to_read() const;
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  void check_beginning();
  void go_to_share();
  std::uint64_t line_start_before(std::uint64_t offset);
  bool next_piece();
  void skip_header();
  bool ends_run(dna_letter letter);
  [[nodiscard]] bool begins_line() const;
  [[noreturn]] void refuse_letter() const;

  text_file file_;
  share mine_;
  std::uint64_t block_;      // length of a stretch of bytes of one share
  std::uint64_t begin_ = 0;  // where in the text this reader began

  std::vector<char> piece_;         // a piece of the text, all of one share
  std::uint64_t piece_offset_ = 0;  // where in the text the piece lies
  const char* cursor_ = nullptr;    // the next letter in the piece
  const char* limit_ = nullptr;     // the end of the piece
  std::uint64_t in_share_ = 1;      // 1 if the piece belongs to the share, as the first piece does
  bool piece_begins_line_ = true;
  bool in_header_ = false;

  std::uint64_t sequences_ = 0;
  std::uint64_t bases_ = 0;
  std::uint64_t ambiguous_letters_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace examples
