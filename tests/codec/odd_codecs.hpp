// Codecs that are unlike the standard one, to try what the interface allows. They expect, by means
// of gtest, to be treated as it promises.
#pragma once

#include <memory>

#include <boxcar/codec.hpp>

namespace boxcar::test {

// Refuses every cargo.
std::shared_ptr<codec> refusing_codec();

// Whatever it makes of a buffer would be larger.
std::shared_ptr<codec> expanding_codec();

// Wants alignment, a stride, an offset, slack and overrun, and makes use of all it may touch.
std::shared_ptr<codec> roomy_codec();

// Remembers for each link the last packet that it has compressed, and sends only in what others
// differ from it. It leaves every third buffer alone.
std::shared_ptr<codec> remembering_codec();
// Links in this process that such codecs remember something of.
int remembered_links();

// Has a plan of one's choice, and then leaves all buffers alone.
std::shared_ptr<codec> idle_codec(const codec_layout& plan);

}  // namespace boxcar::test
