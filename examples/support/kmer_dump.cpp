#include "support/kmer_dump.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "count_kmers.hpp"

namespace examples {
namespace {

constexpr std::size_t bytes_at_once = std::size_t{1} << 16;

void check(const std::ostream& file, const std::string& path) {
  if (file) return;
  throw std::runtime_error(path + " cannot be written: " + std::strerror(errno) +
                           "; give a file that all PEs can write");
}

template <std::size_t Words>
std::string letters_of(kmer<Words> word, int k) {
  std::string letters(static_cast<std::size_t>(k), ' ');
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
    *letter = "ACGT"[last_word(word) & 3];
    shift_right<2>(word);
  }
  return letters;
}

template <std::size_t Words>
std::string line_of(const kmer<Words>& word, std::uint64_t times, const kmer_dump& how) {
  const std::string letters = letters_of<Words>(word, how.k);
  const std::string count = std::to_string(times);
  return how.as_fasta ? '>' + count + '\n' + letters + '\n' : letters + ' ' + count + '\n';
}

template <std::size_t Words>
std::uint64_t bytes_of(const kmer_counts<Words>& counts, const kmer_dump& how) {
  std::uint64_t bytes = 0;
  const std::size_t others = static_cast<std::size_t>(how.k) + (how.as_fasta ? 3 : 2);
  for (const auto& [word, times] : counts.table) bytes += others + std::to_string(times).size();
  return bytes;
}

}  // namespace

void kmer_dump::create(const boxcar::world& w) const {
  if (path.empty() || w.rank() != 0) return;
  const std::ofstream file(path, std::ios::binary | std::ios::trunc);
  check(file, path);
}

template <std::size_t Words>
void kmer_dump::write(boxcar::world& w, const kmer_counts<Words>& counts) const {
  if (path.empty()) return;
  const std::uint64_t offset = w.exclusive_scan(bytes_of(counts, *this), 0);
  if (counts.table.empty()) return;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  check(file, path);
  file.seekp(static_cast<std::streamoff>(offset));
  std::string lines;
  const auto write_lines = [&] {
    file.write(lines.data(), static_cast<std::streamsize>(lines.size()));
    lines.clear();
  };
  for (const auto& [word, times] : counts.table) {
    lines += line_of<Words>(word, times, *this);
    if (lines.size() >= bytes_at_once) write_lines();
  }
  write_lines();
  file.close();
  check(file, path);
}

template void kmer_dump::write(boxcar::world& w, const kmer_counts<1>& counts) const;
template void kmer_dump::write(boxcar::world& w, const kmer_counts<2>& counts) const;
template void kmer_dump::write(boxcar::world& w, const kmer_counts<3>& counts) const;
template void kmer_dump::write(boxcar::world& w, const kmer_counts<4>& counts) const;

}  // namespace examples
