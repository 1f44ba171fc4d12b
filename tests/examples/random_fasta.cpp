#include "examples/random_fasta.hpp"

#include <random>
#include <string_view>

namespace examples::test {
namespace {

class fasta_writer {
 public:
  explicit fasta_writer(std::uint64_t seed) : random_(seed) {}

  std::string write() {
    line_end_ = one_in(3) ? "\r\n" : "\n";
    longest_line_ = one_in(4) ? 1u << 20 : 1 + below(80);
    const std::uint64_t scale = one_in(2) ? 40 : one_in(8) ? 100'000 : 2'000;
    if (one_in(5)) text_ += line_end_;
    for (std::uint64_t sequences = 1 + below(5); sequences > 0; --sequences) {
      header(scale);
      if (!one_in(6)) sequence(below(scale));
    }
    if (one_in(3)) drop_last_line_end();
    return std::move(text_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  void header(std::uint64_t scale) {
    constexpr std::string_view bytes = "ACGT acgt>Nn|x;@ 0123";
    text_ += '>';
    const std::uint64_t length = one_in(4) ? below(scale) : below(20);
    for (std::uint64_t i = 0; i < length; ++i) text_ += bytes[below(bytes.size())];
    text_ += line_end_;
  }

  void sequence(std::uint64_t length) {
    std::uint64_t room = longest_line_;
    for (std::uint64_t i = 0; i < length; ++i) {
      letter();
      if (--room > 0) continue;
      end_line();
      room = longest_line_;
    }
    end_line();
  }

  void letter() {
    constexpr std::string_view bases = "ACGTacgt";
    constexpr std::string_view others = "NnRYSWKMBDHVryswkmbdhv";
    if (one_in(60)) {
      text_.append(1 + below(3), others[below(others.size())]);
    } else {
      text_ += bases[below(bases.size())];
    }
  }

  void end_line() {
    if (one_in(20)) text_ += one_in(2) ? ' ' : '\t';
    text_ += line_end_;
    if (one_in(20)) text_ += line_end_;
  }

  void drop_last_line_end() {
    while (!text_.empty() && (text_.back() == '\n' || text_.back() == '\r')) text_.pop_back();
  }

  std::mt19937_64 random_;
  std::string text_;
  std::string_view line_end_;
  std::uint64_t longest_line_ = 0;
};

}  // namespace

std::string random_fasta(std::uint64_t seed) {
  return fasta_writer(seed).write();
}

}  // namespace examples::test
