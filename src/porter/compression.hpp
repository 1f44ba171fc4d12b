// The layer between a porter and a codec: compression of the buffers that a hop sends to other
// nodes in a session (conveyors-2019, section 3.6).
//
// A buffer on the wire contains the packets, uncompressed or compressed, and then a trailer; hence
// uncompressed packets lie in an arriving buffer at their usual place. A buffer without packets
// stays empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/codec.hpp>

#include "substrate/links.hpp"

namespace boxcar::detail {

class compression {
 public:
  // Number of packets compressed into the data before the trailer; 0: uncompressed packets.
  using trailer = std::uint32_t;

  // The outgoing and incoming links of the hop that connect to other nodes.
  struct links {
    std::size_t outgoing = 0;
    std::size_t incoming = 0;
    std::size_t buffer_bytes = 0;  // room in a buffer: packets plus at least a trailer
  };

  // Returns nullptr if the codec refuses the cargo. Throws argument_error if the codec's plan is
  // impossible.
  static std::unique_ptr<compression> planned_by(const std::shared_ptr<codec>& c, const cargo& what,
                                                 const links& between_nodes);

  // Converts a buffer with `bytes` bytes of packets to the wire format of an outgoing link, and
  // returns the size.
  std::size_t pack(std::size_t link, std::byte* buffer, std::size_t bytes);

  // Makes an arrival with packets readable. The packets remain valid until the next call.
  void unpack(arrival& a);
  // Returns the arrival that was passed to `unpack`, or any other arrival unchanged, to be given
  // back.
  [[nodiscard]] const arrival& as_it_came(const arrival& a) const;

  // Returns the offset of compressed data in a sent buffer; must be equal on all PEs.
  [[nodiscard]] std::size_t data_offset() const { return data_offset_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // Memory with the alignment of a link's buffer. The content is undefined at first.
  class area {
   public:
    area() = default;
    explicit area(std::size_t bytes);
    [[nodiscard]] std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

   private:
    struct release {
      void operator()(std::byte* data) const;
    };
    std::unique_ptr<std::byte[], release> data_;
    std::size_t bytes_ = 0;
  };

  compression(const std::shared_ptr<codec>& c, const cargo& what, const codec_layout& layout,
              const links& between_nodes);

  [[nodiscard]] bool spaced_as_in_buffers() const { return layout_.stride == cargo_.packet_bytes; }
  // Returns the maximum size of compressed packets; 0 if compression is pointless.
  [[nodiscard]] std::size_t limit_for(std::size_t bytes) const;
  std::byte* laid_out(std::byte* buffer, std::size_t packets);

  std::shared_ptr<codec> codec_;
  cargo cargo_;
  codec_layout layout_;
  std::size_t buffer_bytes_;
  std::size_t data_offset_;
  std::vector<std::unique_ptr<codec_link>> compressing_;    // by outgoing link
  std::vector<std::unique_ptr<codec_link>> decompressing_;  // by incoming link
  area staging_;     // packets in the codec's layout, if it differs from the layout in buffers
  area compressed_;  // output of the codec
  area opened_;      // the packets of the arrival being read
  arrival closed_;   // the arrival as received
};

}  // namespace boxcar::detail
