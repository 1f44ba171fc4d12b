// Takes the place of kmer_file.cpp where there is no zlib.
#include <boxcar/error.hpp>

#include "kmer_source.hpp"

namespace boxcar::bench {

std::vector<std::uint64_t> kmers_of_file(const world&, int, const std::string& path) {
  throw argument_error(
      "cannot read " + path +
      ": boxcar was built without zlib; leave --file out, or install zlib with its "
      "header (Debian: zlib1g-dev) and build again");
}

}  // namespace boxcar::bench
