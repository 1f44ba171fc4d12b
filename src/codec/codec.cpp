// The default of codec::link: no state for a link.
#include <boxcar/codec.hpp>

namespace boxcar {

std::unique_ptr<codec_link> codec::link(const cargo&, direction) {
  return nullptr;
}

}  // namespace boxcar
