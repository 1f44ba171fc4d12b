#include "porter/compression.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include <boxcar/error.hpp>

#include "substrate/buffer_room.hpp"

namespace boxcar::detail {
namespace {

constexpr std::align_val_t area_alignment{buffer_alignment};
constexpr std::size_t trailer_bytes = sizeof(compression::trailer);
constexpr std::size_t largest_area = std::size_t{1} << 32;
// A tag is read four bytes at a time, even if the packet is shorter.
constexpr std::size_t tag_overrun = 4;

static_assert(sizeof(compression) <= max_compression_object_bytes);

std::string find_problem(const cargo& what, const codec_layout& layout) {
  const auto text = [](std::size_t n) { return std::to_string(n); };
  if (!std::has_single_bit(layout.align) || layout.align > buffer_alignment) {
    return "align is " + text(layout.align) + ": give a power of two from 1 to " +
           text(buffer_alignment);
  }
  const std::size_t least = what.tag_bytes + what.item_bytes;
  if (layout.stride < least) {
    return "stride is " + text(layout.stride) + ", but a packet has " + text(least) + " bytes";
  }
  const std::size_t room = largest_area / layout.stride;  // in packets
  if (what.max_items > room || layout.slack > room - what.max_items ||
      layout.overrun > largest_area) {
    return text(what.max_items) + " packets and a slack of " + text(layout.slack) + ", at " +
           text(layout.stride) + " bytes each, and an overrun of " + text(layout.overrun) +
           " bytes are more than can be kept in memory";
  }
  return {};
}

// Copies `n` packets of `bytes` bytes each to another stride.
void respace(std::size_t n, std::size_t bytes, const std::byte* from, std::size_t from_stride,
             std::byte* into, std::size_t into_stride) {
  for (std::size_t i = 0; i < n; ++i) {
    std::memcpy(into + i * into_stride, from + i * from_stride, bytes);
  }
}

void append_trailer(std::byte* at, std::size_t packets) {
  const auto word = static_cast<compression::trailer>(packets);
  std::memcpy(at, &word, sizeof word);
}

}  // namespace

compression::area::area(std::size_t bytes)
    : data_(static_cast<std::byte*>(::operator new[](bytes, area_alignment))), bytes_(bytes) {}

void compression::area::release::operator()(std::byte* data) const {
  ::operator delete[](data, area_alignment);
}

std::unique_ptr<compression> compression::planned_by(const std::shared_ptr<codec>& c,
                                                     const cargo& what,
                                                     const links& between_nodes) {
  const std::optional<codec_layout> layout = c->plan(what);
  if (!layout) return nullptr;
  if (const std::string problem = find_problem(what, *layout); !problem.empty()) {
    throw argument_error("the codec \"" + std::string(c->name()) + "\" plans for " +
                         std::to_string(what.max_items) + " packets of " +
                         std::to_string(what.packet_bytes) + " bytes what cannot be: " + problem);
  }
  return std::unique_ptr<compression>(new compression(c, what, *layout, between_nodes));
}

compression::compression(const std::shared_ptr<codec>& c, const cargo& what,
                         const codec_layout& layout, const links& between_nodes)
    : codec_(c),
      cargo_(what),
      layout_(layout),
      buffer_bytes_(between_nodes.buffer_bytes),
      data_offset_(layout.offset % layout.align) {
  const std::size_t spaced = (cargo_.max_items + layout_.slack) * layout_.stride;
  if (between_nodes.outgoing > 0) {
    compressed_ = area(data_offset_ + buffer_bytes_ + layout_.overrun);
  }
  if (between_nodes.incoming > 0) {
    opened_ = area(std::max(spaced, cargo_.max_items * cargo_.packet_bytes) + tag_overrun);
  }
  const bool in_place = spaced_as_in_buffers() && layout_.slack == 0 && !layout_.modifies_packets;
  if (!in_place && between_nodes.outgoing + between_nodes.incoming > 0) staging_ = area(spaced);
  for (std::size_t i = 0; i < between_nodes.outgoing; ++i) {
    compressing_.push_back(codec_->link(cargo_, codec::direction::compress));
  }
  for (std::size_t i = 0; i < between_nodes.incoming; ++i) {
    decompressing_.push_back(codec_->link(cargo_, codec::direction::decompress));
  }
}

std::size_t compression::limit_for(std::size_t bytes) const {
  // The compressed data must be shorter than the packets, and leave room for the trailer or the
  // overrun.
  const std::size_t following = std::max(trailer_bytes, layout_.overrun);
  if (bytes <= data_offset_ || buffer_bytes_ <= data_offset_ + following) return 0;
  return std::min(bytes - data_offset_ - 1, buffer_bytes_ - data_offset_ - following);
}

// Returns the packets of a buffer in the layout of the codec.
std::byte* compression::laid_out(std::byte* buffer, std::size_t packets) {
  if (staging_.data() == nullptr) return buffer;
  if (spaced_as_in_buffers()) {
    std::memcpy(staging_.data(), buffer, packets * layout_.stride);
  } else {
    respace(packets, cargo_.packet_bytes, buffer, cargo_.packet_bytes, staging_.data(),
            layout_.stride);
  }
  return staging_.data();
}

std::size_t compression::pack(std::size_t link, std::byte* buffer, std::size_t bytes) {
  if (bytes == 0) return 0;
  const std::size_t packets = bytes / cargo_.packet_bytes;
  const std::size_t limit = limit_for(bytes);
  std::size_t compressed = 0;
  if (limit > 0) {
    compressed =
        codec_->compress(cargo_, compressing_[link].get(), packets, laid_out(buffer, packets),
                         limit, compressed_.data() + data_offset_);
  }
  if (compressed == 0 || compressed > limit) {
    append_trailer(buffer + bytes, 0);
    return bytes + trailer_bytes;
  }
  std::memcpy(buffer + data_offset_, compressed_.data() + data_offset_, compressed);
  append_trailer(buffer + data_offset_ + compressed, packets);
  return data_offset_ + compressed + trailer_bytes;
}

void compression::unpack(arrival& a) {
  const arrival came = a;
  a.bytes -= static_cast<std::uint32_t>(trailer_bytes);
  trailer packets;
  std::memcpy(&packets, a.data + a.bytes, sizeof packets);
  if (packets == 0) return;

  closed_ = came;
  const bool direct = spaced_as_in_buffers();
  std::byte* const into = direct ? opened_.data() : staging_.data();
  codec_->decompress(cargo_, decompressing_[a.link].get(), packets, a.bytes - data_offset_,
                     a.data + data_offset_, into);
  if (!direct) {
    respace(packets, cargo_.packet_bytes, into, layout_.stride, opened_.data(),
            cargo_.packet_bytes);
  }
  a.data = opened_.data();
  a.bytes = static_cast<std::uint32_t>(packets * cargo_.packet_bytes);
}

const arrival& compression::as_it_came(const arrival& a) const {
  return a.data == opened_.data() ? closed_ : a;
}

std::size_t compression::memory_bytes() const {
  return sizeof *this + staging_.bytes() + compressed_.bytes() + opened_.bytes() +
         (compressing_.size() + decompressing_.size()) * sizeof(std::unique_ptr<codec_link>);
}

}  // namespace boxcar::detail
