// A client's codec as one of Boxcar's, and the other way round.
#pragma once

#include <memory>

#include <boxcar/codec.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

// `functions` are copied; `arg` is handed to them.
std::shared_ptr<codec> client_codec(const convey_codec_t& functions, void* arg);

}  // namespace boxcar::convey_c
