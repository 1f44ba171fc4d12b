// Codecs: how the buffers that a conveyor sends to other nodes are made smaller (conveyors-2019,
// section 3.6, "Compression"). docs/compression.md tells when that pays, and how to write one.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace boxcar {

// What is to be compressed: the packets that travel over one hop in one session.
struct cargo {
  std::size_t tag_bytes = 0;     // of the tag that each packet begins with: 0, 1, 2 or 4
  std::size_t item_bytes = 0;    // of the item that follows it
  std::size_t packet_bytes = 0;  // from the start of one packet to that of the next, in a buffer
  std::size_t max_items = 0;     // packets in a full buffer
};

// How a codec wants things to lie in memory. What differs from a buffer of the conveyor is copied
// to fit, once per buffer.
struct codec_layout {
  // Of the first packet, and (see `offset`) of the compressed data: a power of two, 1 to 64.
  std::size_t align = 1;
  // From the start of one packet to that of the next: at least tag and item. What lies between two
  // packets has no meaning.
  std::size_t stride = 0;
  // Packets beyond the last one that `compress` may read and write, and `decompress` may write.
  std::size_t slack = 0;
  // The compressed data begin so many bytes behind a multiple of `align`.
  std::size_t offset = 0;
  // Bytes beyond the compressed data that `compress` may write, and `decompress` may read and
  // write.
  std::size_t overrun = 0;
  // Whether `compress` may write to the packets that it is given.
  bool modifies_packets = false;
};

// What a codec remembers of one link, at one of its ends. Destroyed when the session ends.
class codec_link {
 public:
  virtual ~codec_link() = default;
};

// A way to make buffers smaller, and whole again. To be derived from.
//
// All functions are local and run on the thread of the PE, at its end of the conveyor. An object
// that is given to several conveyors, or to several PEs that are threads, must bear that.
class codec {
 public:
  enum class direction { compress, decompress };

  virtual ~codec() = default;

  // For messages. All PEs must give the conveyor codecs of the same name.
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Called in `begin`, for each hop: how this cargo should lie in memory, or nothing if it is not
  // worth while or cannot be done; then nothing on that hop is compressed in this session. The
  // answer must be the same on all PEs: `begin` throws argument_error otherwise.
  [[nodiscard]] virtual std::optional<codec_layout> plan(const cargo& what) = 0;

  // Called once per session for each link to another node, and from one; may return nullptr.
  [[nodiscard]] virtual std::unique_ptr<codec_link> link(const cargo& what, direction way);

  // Compresses the first `n` (at least one) packets at `packets` into at most `limit` bytes at
  // `into`, and returns how many; or returns 0 if the buffer is to be sent as it is. A result above
  // `limit` counts as 0. `link` is what the function of that name returned for this link. The two
  // areas do not overlap; the plan says how they are aligned, and what beyond them may be touched.
  [[nodiscard]] virtual std::size_t compress(const cargo& what, codec_link* link, std::size_t n,
                                             std::byte* packets, std::size_t limit,
                                             std::byte* into) = 0;

  // The reverse: `bytes` at `data` are what `compress` made of `n` packets. The buffers of a link
  // are decompressed in the order in which they were compressed; those that `compress` returned 0
  // for are not seen here. It may write to the data.
  virtual void decompress(const cargo& what, codec_link* link, std::size_t n, std::size_t bytes,
                          std::byte* data, std::byte* packets) = 0;
};

// The codec that comes with Boxcar: bits and bytes that are the same in all packets of a buffer are
// sent once. It refuses packets of more than 1024 bytes, and buffers that hold only a few; and it
// sends a buffer as it is if that would not save at least a tenth. The object can be shared.
std::shared_ptr<codec> standard_codec();

}  // namespace boxcar
