// The adapters from a client's codec to a codec of Boxcar, and the other way round.
#pragma once

#include <memory>

#include <boxcar/codec.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

// Returns a codec that calls a copy of `functions` with `arg`.
std::shared_ptr<codec> client_codec(const convey_codec_t& functions, void* arg);

}  // namespace boxcar::convey_c
