#include "examples/serial_fasta.hpp"

#include <algorithm>
#include <cctype>

namespace examples::test {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char byte : text) {
    if (byte == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += byte;
    }
  }
  return lines;
}

std::uint64_t number_of(std::string_view word) {
  std::uint64_t number = 0;
  for (const char base : word) number = number * 4 + std::string_view("ACGT").find(base);
  return number;
}

std::string reverse_complement(std::string_view run) {
  std::string other(run.rbegin(), run.rend());
  for (char& base : other) base = "TGCA"[std::string_view("ACGT").find(base)];
  return other;
}

}  // namespace

serial_fasta read_serially(std::string_view text) {
  serial_fasta found;
  bool run_goes_on = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(">")) {
      ++found.sequences;
      run_goes_on = false;
      continue;
    }
    for (const char byte : line) {
      if (std::isspace(static_cast<unsigned char>(byte)) != 0) continue;
      char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(byte)));
      if (letter == 'U') letter = 'T';
      if (std::string_view("ACGT").find(letter) == std::string_view::npos) {
        ++found.ambiguous_letters;
        run_goes_on = false;
        continue;
      }
      if (!run_goes_on) found.runs.emplace_back();
      run_goes_on = true;
      found.runs.back() += letter;
      ++found.bases;
    }
  }
  return found;
}

std::vector<std::string> words_of(const serial_fasta& fasta, int k) {
  const auto length = static_cast<std::size_t>(k);
  std::vector<std::string> words;
  for (const std::string& run : fasta.runs) {
    const std::string other = reverse_complement(run);
    for (std::size_t i = 0; i + length <= run.size(); ++i) {
      const std::string_view word = std::string_view(run).substr(i, length);
      const std::string_view same = std::string_view(other).substr(run.size() - length - i, length);
      words.emplace_back(std::min(word, same));
    }
  }
  return words;
}

std::vector<std::uint64_t> kmers_of(const serial_fasta& fasta, int k) {
  std::vector<std::uint64_t> kmers;
  for (const std::string& word : words_of(fasta, k)) kmers.push_back(number_of(word));
  return kmers;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> counted(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;
  for (const std::uint64_t number : numbers) {
    if (counts.empty() || counts.back().first != number) counts.emplace_back(number, 0);
    ++counts.back().second;
  }
  return counts;
}

}  // namespace examples::test
