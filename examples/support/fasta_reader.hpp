// One PE's share of the letters of a FASTA file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/dna_letter.hpp"
#include "support/text_file.hpp"

namespace examples {

// Number `index`, counted from 0, of so many shares.
struct share {
  std::uint64_t index;
  std::uint64_t of;
};

// Every byte of the text belongs to exactly one share: what is counted where it begins is counted
// once. A plain file is cut into one stretch per share, and a reader goes straight to its own. A
// compressed one can only be read from its beginning: every reader decompresses all of it, and the
// shares take turns in small blocks.
//
// Bases are the letters A, C, G and T of either case. A letter that stands for several bases (N, R,
// Y, ...) ends a run of bases. Lines may end in CR LF; blanks and empty lines mean nothing.
// Everything throws input_error for what is no FASTA file, and names the file and the line.
class fasta_reader {
 public:
  fasta_reader(const std::string& path, share mine);

  // What `next` returns if it is not a base, 0 to 3 for A, C, G and T.
  static constexpr int gap = 4;  // a run of bases ends here
  static constexpr int end = 5;  // of the file

  // The next letter. Letters of other shares come too: those after the share, so that what begins
  // in it can be completed, and in a compressed file all of them.
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
  // Does the letter that was returned last belong to the share?
  [[nodiscard]] bool in_share() const { return in_share_ != 0; }
  // Has the share ended, so that no later letter belongs to it?
  [[nodiscard]] bool beyond_share() const { return in_share_ == 0 && !file_.compressed(); }

  // Counts of the share, as far as it has been read.
  [[nodiscard]] std::uint64_t sequences() const { return sequences_; }
  [[nodiscard]] std::uint64_t bases() const { return bases_; }
  [[nodiscard]] std::uint64_t ambiguous_letters() const { return ambiguous_letters_; }

  // For a display of progress: how many stored bytes this reader goes through, and how many it has.
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
  std::uint64_t block_;      // bytes in a row that belong to the same share
  std::uint64_t begin_ = 0;  // where in the text this reader began

  std::vector<char> piece_;         // of the text; of one share
  std::uint64_t piece_offset_ = 0;  // where in the text it lies
  const char* cursor_ = nullptr;    // the next letter in it
  const char* limit_ = nullptr;     // its end
  std::uint64_t in_share_ = 1;      // 1 if it belongs to the share, as what comes first does
  bool piece_begins_line_ = true;
  bool in_header_ = false;

  std::uint64_t sequences_ = 0;
  std::uint64_t bases_ = 0;
  std::uint64_t ambiguous_letters_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace examples
