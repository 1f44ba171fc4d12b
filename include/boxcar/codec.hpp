// A codec compresses the buffers that a conveyor sends to other nodes (conveyors-2019, section 3.6,
// "Compression"). docs/compression.md explains when compression pays, and how to write a codec.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace boxcar {

// The data to compress: the packets that travel over one hop in one session.
struct cargo {
  std::size_t tag_bytes = 0;     // of the tag at the beginning of each packet: 0, 1, 2 or 4
  std::size_t item_bytes = 0;    // of the item behind the tag
  std::size_t packet_bytes = 0;  // from the start of a packet to the start of the next packet, in a
                                 // buffer
  std::size_t max_items = 0;     // packets in a full buffer
};

// The memory layout that a codec needs. Data with another layout in the buffer of the conveyor are
// copied to fit, once per buffer.
struct codec_layout {
  // The alignment of the first packet, and (see `offset`) of the compressed data: a power of two, 1
  // to 64.
  std::size_t align = 1;
  // The distance from the start of a packet to the start of the next packet: at least tag and item.
  // Bytes between two packets have no meaning.
  std::size_t stride = 0;
  // Packets beyond the last one that `compress` may read and write, and `decompress` may write.
  std::size_t slack = 0;
  // The compressed data begin `offset` bytes behind a multiple of `align`.
  std::size_t offset = 0;
  // Bytes beyond the compressed data that `compress` may write, and `decompress` may read and
  // write.
  std::size_t overrun = 0;
  // Whether `compress` may write to the given packets.
  bool modifies_packets = false;
};

// The state of a codec for one link, at one end of the link. Destroyed when the session ends.
class codec_link {
 public:
  virtual ~codec_link() = default;
};

// The base class of codecs: a codec compresses buffers, and decompresses them again.
//
// All functions are local and run on the thread of the PE, at its end of the conveyor. Thread
// safety: a codec object that is given to several conveyors, or to several PEs that are threads,
// must allow concurrent calls.
class codec {
 public:
  enum class direction { compress, decompress };

  virtual ~codec() = default;

  // Returns the name of the codec, for messages. All PEs must give the conveyor codecs of the same
  // name.
  [[nodiscard]] virtual std::string_view name() const = 0;

  // Called in `begin`, for each hop. Returns the memory layout for the cargo; or nothing if
  // compression is not worth while or not possible: then nothing on the hop is compressed in the
  // session. The result must be the same on all PEs: otherwise `begin` throws argument_error.
  [[nodiscard]] virtual std::optional<codec_layout> plan(const cargo& what) = 0;

  // Called once per session for each link to another node, and for each link from another node; may
  // return nullptr.
  [[nodiscard]] virtual std::unique_ptr<codec_link> link(const cargo& what, direction way);

  // Compresses the first `n` (at least one) packets at `packets` into at most `limit` bytes at
  // `into`, and returns the number of compressed bytes; or returns 0 if the buffer is to be sent
  // uncompressed. A result above `limit` counts as 0. `link` is the result of the function `link`
  // for the link. The two areas do not overlap; the plan gives their alignment, and the bytes
  // beyond them that may be accessed.
  [[nodiscard]] virtual std::size_t compress(const cargo& what, codec_link* link, std::size_t n,
                                             std::byte* packets, std::size_t limit,
                                             std::byte* into) = 0;

  // Decompresses `bytes` bytes at `data`, the result of `compress` for `n` packets. The buffers of
  // a link are decompressed in the order in which they were compressed; buffers for which
  // `compress` returned 0 are left out. The function may write to the data.
  virtual void decompress(const cargo& what, codec_link* link, std::size_t n, std::size_t bytes,
                          std::byte* data, std::byte* packets) = 0;
};

// Returns the codec that comes with Boxcar: bits and bytes that are equal in all packets of a
// buffer are sent once. The standard codec refuses packets of more than 1024 bytes, and buffers
// with room for only a few packets; a buffer is sent uncompressed if compression would not save at
// least a tenth. The object can be shared.
std::shared_ptr<codec> standard_codec();

}  // namespace boxcar
