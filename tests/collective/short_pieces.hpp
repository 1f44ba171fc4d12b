// Short pieces of the arrays of started collectives.
#pragma once

#include "collective/started_collectives.hpp"

namespace boxcar::test {

// While it exists, arrays of more than 1000 bytes go in pieces. Precondition: no world exists.
class short_pieces {
 public:
  short_pieces() { detail::started_collectives::longest_piece = {1000, 1}; }
  short_pieces(const short_pieces&) = delete;
  short_pieces& operator=(const short_pieces&) = delete;
  ~short_pieces() { detail::started_collectives::longest_piece = {}; }
};

}  // namespace boxcar::test
