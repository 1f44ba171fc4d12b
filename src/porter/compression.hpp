// Compression of the buffers that one hop sends to other nodes in one session (conveyors-2019,
// section 3.6): what stands between a porter and a codec.
//
// What is sent is the packets as they are or what the codec made of them, and behind that a
// trailer, so that packets that go as they are lie in the arriving buffer as they always do. A
// buffer without packets stays empty.
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
  // Packets compressed into what precedes the trailer; 0: they go as they are.
  using trailer = std::uint32_t;

  // The links of the hop that lead to other nodes, and come from them.
  struct links {
    std::size_t outgoing = 0;
    std::size_t incoming = 0;
    std::size_t buffer_bytes = 0;  // room in a buffer: a trailer more than packets, at least
  };

  // Null if the codec refuses the cargo. Throws argument_error if what it plans cannot be.
  static std::unique_ptr<compression> planned_by(const std::shared_ptr<codec>& c, const cargo& what,
                                                 const links& between_nodes);

  // Makes of a buffer with so many bytes of packets what is sent on an outgoing link, and returns
  // how many bytes that is.
  std::size_t pack(std::size_t link, std::byte* buffer, std::size_t bytes);

  // Makes an arrival that holds packets readable. One at a time: the packets stay until the next.
  void unpack(arrival& a);
  // The arrival that `unpack` was given, or any other unchanged: what is to be given back.
  [[nodiscard]] const arrival& as_it_came(const arrival& a) const;

  // Where in what is sent compressed data begin. It must be the same on all PEs.
  [[nodiscard]] std::size_t data_offset() const { return data_offset_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // Memory as strictly aligned as a buffer of a link. Its content is undefined at first.
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
  // The bytes that packets may be compressed into; 0 if they had better go as they are.
  [[nodiscard]] std::size_t limit_for(std::size_t bytes) const;
  std::byte* laid_out(std::byte* buffer, std::size_t packets);

  std::shared_ptr<codec> codec_;
  cargo cargo_;
  codec_layout layout_;
  std::size_t buffer_bytes_;
  std::size_t data_offset_;
  std::vector<std::unique_ptr<codec_link>> compressing_;    // by outgoing link
  std::vector<std::unique_ptr<codec_link>> decompressing_;  // by incoming link
  area staging_;     // packets as the codec wants them, if that is not as they are in buffers
  area compressed_;  // what the codec makes of them
  area opened_;      // the packets of the arrival that is being read
  arrival closed_;   // that arrival as it came
};

}  // namespace boxcar::detail
