// Codecs unlike the standard codec, for tests of the interface. The codecs check the promises of
// the interface by expectations of gtest.
#pragma once

#include <memory>

#include <boxcar/codec.hpp>

namespace boxcar::test {

// Refuses every cargo.
std::shared_ptr<codec> refusing_codec();

// A codec whose output is always larger than its input.
std::shared_ptr<codec> expanding_codec();

// A codec with alignment, a stride, an offset, slack and overrun; the codec uses all of its memory.
std::shared_ptr<codec> roomy_codec();

// A codec that stores the last compressed packet of each link, and sends only differences from the
// stored packet. The codec skips every third buffer.
std::shared_ptr<codec> remembering_codec();
// The number of links in this process with data of the remembering codec.
int remembered_links();

// A codec with the given plan that skips all buffers.
std::shared_ptr<codec> idle_codec(const codec_layout& plan);

}  // namespace boxcar::test
