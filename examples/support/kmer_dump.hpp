// A file of k-mers and their counts, in the forms of `jellyfish dump`, which all PEs write
// together: the lines of PE 0 come first, then those of PE 1, and so on.
#pragma once

#include <cstddef>
#include <string>

#include <boxcar/world.hpp>

namespace examples {

template <std::size_t Words>
struct kmer_counts;

struct kmer_dump {
  std::string path;  // "" for no file
  int k;
  bool as_fasta;  // ">3\nACGT\n", or else "ACGT 3\n"

  // PE 0 makes an empty file. Throws std::runtime_error if that is impossible.
  void create(const boxcar::world& w) const;

  // Collective. Writes the k-mers of all PEs, in the order of their hash tables. Throws
  // std::runtime_error if the PE cannot write. Precondition: PE 0 has made the file.
  template <std::size_t Words>
  void write(boxcar::world& w, const kmer_counts<Words>& counts) const;
};

}  // namespace examples
