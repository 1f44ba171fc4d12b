// The text of the statistics of a collection.
#include <ostream>

#include <boxcar/collection_statistics.hpp>

namespace boxcar {

std::ostream& operator<<(std::ostream& out, const collection_statistics& s) {
  return out << s.migrations << " migrations of " << s.migrated_bytes << " bytes, " << s.forwarded
             << " messages forwarded, " << s.held << " held, " << s.learned << " locations learned";
}

}  // namespace boxcar
